import { z } from 'zod';

import type { Incoming } from './incoming.js';
import type { Route } from './operations.js';
import type { Answer } from './world/answer.js';
import { refusal } from './world/answer.js';
import type { Call } from './world/world.js';

/** A request that follows the protocol. */
export interface WellFormed {
  readonly call: Call;
  readonly route: Route;
  readonly deadlineMs: number;
}

/** Long enough for any run and step; the engine's own keys stay below 100. */
const reference = z.string().min(1).max(255);
const name = z.string().min(1).max(255);
const amount = z.int().positive();
const person = z.union([name, z.looseObject({ name })]);
const deadline = z.iso.datetime({ offset: true });

// Members that a schema does not name are ignored, as the protocol may grow.
const chargeBody = z.object({
  amount,
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be three capital letters'),
  source: name,
  reference,
});
const refundBody = z.object({ charge: name, amount, reference });
const holdBody = z.object({ offer: name, traveller: person, reference });
const referenceBody = z.object({ reference });
const reserveBody = z.object({
  offer: name,
  nights: z.int().min(1).max(365),
  guest: person,
  reference,
});
const messageBody = z.object({
  to: name,
  kind: name,
  data: z.record(z.string(), z.unknown()),
  reference,
});

class Malformed extends Error {}

/**
 * Reads a request as a call, or says why it is none: 404 for a route the protocol lacks, 413 for a
 * body over the limit, 400 `bad_request` with a message that names the header or member at fault.
 */
export function readCall(incoming: Incoming): WellFormed | { readonly refused: Answer } {
  const { route } = incoming;
  if (route === null) {
    const message = `${incoming.provider} has no ${incoming.method} ${incoming.target}`;
    return { refused: refusal(404, 'no_such_route', message) };
  }
  if (incoming.bodyState === 'too_large') {
    return { refused: refusal(413, 'body_too_large', 'a body has at most 64 kB') };
  }
  try {
    const key = parsed(reference, incoming.key, 'header Idempotency-Key');
    const time = parsed(deadline, incoming.deadline, 'header Recourse-Deadline');
    const call = callOf(incoming, route, key);
    if (incoming.method === 'POST' && call.reference !== key) {
      throw new Malformed('body.reference must equal the Idempotency-Key');
    }
    return { call, route, deadlineMs: Date.parse(time) };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return { refused: refusal(400, 'bad_request', error.message) };
  }
}

function callOf(incoming: Incoming, route: Route, key: string): Call {
  const { id } = incoming;
  switch (`${route.provider} ${route.operation}`) {
    case 'payments charge': {
      const { amount, currency, source, reference } = bodyOf(chargeBody, incoming);
      const call = { reference, amount, currency, source };
      return { provider: 'payments', operation: 'charge', ...call };
    }
    case 'payments refund': {
      const { charge, amount, reference } = bodyOf(refundBody, incoming);
      return { provider: 'payments', operation: 'refund', reference, charge, amount };
    }
    case 'payments find_charge':
      return { provider: 'payments', operation: 'find_charge', reference: asked(incoming) };
    case 'payments find_refund':
      return { provider: 'payments', operation: 'find_refund', reference: asked(incoming) };
    case 'flights hold': {
      const { offer, reference } = bodyOf(holdBody, incoming);
      return { provider: 'flights', operation: 'hold', reference, offer };
    }
    case 'flights cancel': {
      const { reference } = bodyOf(referenceBody, incoming);
      return { provider: 'flights', operation: 'cancel', reference, order: id };
    }
    case 'flights ticket': {
      const { reference } = bodyOf(referenceBody, incoming);
      return { provider: 'flights', operation: 'ticket', reference, order: id };
    }
    case 'flights find':
      return { provider: 'flights', operation: 'find', reference: asked(incoming) };
    case 'hotels reserve': {
      const { offer, reference } = bodyOf(reserveBody, incoming);
      return { provider: 'hotels', operation: 'reserve', reference, offer };
    }
    case 'hotels cancel':
      return { provider: 'hotels', operation: 'cancel', reference: key, reservation: id };
    case 'messages send': {
      const { kind, reference } = bodyOf(messageBody, incoming);
      return { provider: 'messages', operation: 'send', reference, kind };
    }
    default:
      throw new Error(`${route.provider} ${route.operation} is routed but cannot be read`);
  }
}

function asked(incoming: Incoming): string {
  return parsed(reference, incoming.query.get('reference'), 'query reference');
}

function bodyOf<S extends z.ZodType>(schema: S, incoming: Incoming): z.output<S> {
  if (incoming.bodyState !== 'json') throw new Malformed('the body is not JSON');
  return parsed(schema, incoming.body, 'body');
}

function parsed<S extends z.ZodType>(schema: S, value: unknown, where: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new Malformed(`${[where, ...(issue?.path ?? [])].join('.')}: ${issue?.message}`);
}
