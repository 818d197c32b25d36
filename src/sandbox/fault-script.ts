import { z } from 'zod';

import { PROVIDERS, ROUTES } from './operations.js';
import type { Provider } from './world/world.js';

/** A day: a script that waits longer is a mistake. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

const bare = z.strictObject({});
const ms = z.strictObject({ ms: z.int().min(0).max(LONGEST_WAIT_MS) });

/** Every `do` with its arguments. What each of them does is in fault-plan.ts. */
const ARGUMENTS = {
  ok: bare,
  decline: bare,
  status: z.strictObject({
    code: z.int().min(200).max(599),
    // Seconds, a date, or nonsense: what a client does with nonsense is worth a test.
    retry_after: z.union([z.number(), z.string().regex(/^[ -~]{0,100}$/)]).optional(),
  }),
  delay: ms,
  hang: bare,
  hang_then_effect: ms,
  reset_before_effect: bare,
  reset_then_effect: ms,
  effect_then_reset: bare,
  effect_then_hang: bare,
  effect_then_500: bare,
  effect_then_malformed_json: bare,
  effect_then_truncated_body: bare,
  duplicate_effect: bare,
  replay_different_body: bare,
  ignore_key: bare,
  ignore_deadline: bare,
  expire_key: bare,
  wrong_amount: bare,
  huge_body: z.strictObject({ bytes: z.int().min(1).max(1_000_000_000) }),
  slow_drip: z.strictObject({ bytes_per_second: z.int().min(1).max(1_000_000) }),
};

export type FaultName = keyof typeof ARGUMENTS;

type Arguments<N extends FaultName> = z.output<(typeof ARGUMENTS)[N]>;

/** A fault's `do` in its one inner form: the name, and the arguments, if any, beside it. */
export type Do = {
  [N in FaultName]: { readonly name: N } & (string extends keyof Arguments<N>
    ? unknown
    : Readonly<Arguments<N>>);
}[FaultName];

/** A scripted fault, as it was asked for. */
export interface Fault {
  readonly provider: Provider;
  readonly operation: string;
  readonly match: { readonly reference?: string; readonly attempt?: number };
  /** How many requests it strikes; null: every one. */
  readonly times: number | null;
  readonly do: Do;
}

/** A fault in the script, with how often it struck. */
export interface ScriptedFault {
  readonly id: string;
  readonly fault: Fault;
  used: number;
}

const NEEDS_AN_EFFECT: readonly FaultName[] = [
  'decline',
  'hang_then_effect',
  'reset_then_effect',
  'duplicate_effect',
];
const NEEDS_KEYS: readonly FaultName[] = ['ignore_key', 'expire_key'];

const faultBody = z.strictObject({
  provider: z.enum(PROVIDERS),
  operation: z.string(),
  match: z
    .strictObject({
      reference: z.string().min(1).optional(),
      attempt: z.int().min(1).optional(),
    })
    .default({}),
  times: z.int().min(1).nullable().default(1),
  do: z.unknown(),
});

/** Why a fault was not taken: the member at fault and what is wrong with it. */
export class BadFault extends Error {
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(`${field}: ${message}`);
  }
}

/** Reads a fault. Throws BadFault, which names the member, for one that could never strike. */
export function readFault(body: unknown): Fault {
  const { provider, operation, match, times, do: wanted } = parsed(faultBody, body, []);
  const route = ROUTES.find((one) => one.provider === provider && one.operation === operation);
  if (route === undefined) {
    const known = ROUTES.filter((one) => one.provider === provider).map((one) => one.operation);
    throw new BadFault('operation', `${provider} has ${known.join(', ')}, not "${operation}"`);
  }
  const done = readDo(wanted);
  if (route.reads && NEEDS_AN_EFFECT.includes(done.name)) {
    throw new BadFault('do', `${operation} only looks, so "${done.name}" cannot strike it`);
  }
  if ((provider !== 'payments' || route.reads) && NEEDS_KEYS.includes(done.name)) {
    throw new BadFault('do', `${provider} ${operation} knows no keys for "${done.name}"`);
  }
  if (provider !== 'payments' && done.name === 'wrong_amount') {
    throw new BadFault('do', `${provider} has no amounts for "wrong_amount"`);
  }
  return { provider, operation, match: withoutUndefined(match), times, do: done };
}

/** The first fault, in order of arrival, that has uses left and fits the request; else null. */
export function findFault(
  script: readonly ScriptedFault[],
  request: {
    readonly provider: Provider;
    readonly operation: string;
    readonly reference: string;
    /** Counts the requests with this reference at this operation, from 1. */
    readonly attempt: number;
  },
): ScriptedFault | null {
  const fits = ({ fault, used }: ScriptedFault) =>
    fault.provider === request.provider &&
    fault.operation === request.operation &&
    (fault.times === null || used < fault.times) &&
    request.reference.startsWith(fault.match.reference ?? '') &&
    (fault.match.attempt ?? request.attempt) === request.attempt;
  return script.find(fits) ?? null;
}

// `"hang"`, `{"hang": {}}` and `{"delay": {"ms": 300}}` are the forms on the wire.
function readDo(wanted: unknown): Do {
  const single = z.union([z.string(), z.record(z.string(), z.unknown())]).safeParse(wanted);
  if (!single.success) {
    throw new BadFault('do', 'must be a name, or an object with one name and its arguments');
  }
  const [name, ...more] =
    typeof single.data === 'string' ? [single.data] : Object.keys(single.data);
  if (name === undefined || more.length > 0) throw new BadFault('do', 'must have one name');
  if (!isFaultName(name)) {
    throw new BadFault('do', `knows ${Object.keys(ARGUMENTS).join(', ')}, not "${name}"`);
  }
  const given = typeof single.data === 'string' ? {} : single.data[name];
  const args = parsed(ARGUMENTS[name], given, ['do', name]);
  // The compiler cannot see that the schema looked up by a name gives that name's arguments.
  return { name, ...args } as Do;
}

function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(ARGUMENTS, name);
}

function parsed<S extends z.ZodType>(
  schema: S,
  value: unknown,
  where: readonly string[],
): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const field = [...where, ...(issue?.path ?? []), ...unknown].join('.');
  throw new BadFault(field === '' ? 'body' : field, issue?.message ?? 'is wrong');
}

function withoutUndefined(match: {
  reference?: string | undefined;
  attempt?: number | undefined;
}): Fault['match'] {
  const { reference, attempt } = match;
  return {
    ...(reference === undefined ? {} : { reference }),
    ...(attempt === undefined ? {} : { attempt }),
  };
}
