import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { deliver, resetConnection } from './delivery.process.js';
import type { Plan } from './fault-plan.js';
import { distorted, magicOf, planOf, withWrongAmount } from './fault-plan.js';
import type { ScriptedFault } from './fault-script.js';
import { findFault } from './fault-script.js';
import type { Incoming } from './incoming.js';
import type { Draft, Memory, RequestLine } from './memory.js';
import { attemptsBefore } from './memory.js';
import type { Route } from './operations.js';
import { readCall } from './read-call.js';
import type { Recorder } from './recorder.js';
import type { Answer } from './world/answer.js';
import { refusal } from './world/answer.js';
import { answerOfKey } from './world/payments.js';
import type { Call } from './world/world.js';
import { decide, doubled } from './world/world.js';

/** What a request needs in order to be performed. */
export interface Stage {
  readonly memory: Memory;
  readonly record: Recorder;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Fires when the sandbox ends: waits stop, and effects that had not landed never will. */
  readonly closing: AbortSignal;
}

/** A well-formed request in time, with the course it is to take. */
interface AdmittedCall {
  readonly call: Call;
  readonly route: Route;
  readonly bodyHash: string;
  readonly plan: Plan;
}

/**
 * Takes one request to a provider from its arrival to the last byte of its answer. The request, and
 * every effect it has, is on disk before anything of the answer is sent.
 */
export async function performRequest(
  stage: Stage,
  incoming: Incoming,
  response: ServerResponse,
): Promise<void> {
  const read = readCall(incoming);
  const attempt = attemptOf(stage.memory, incoming);
  if ('refused' in read) {
    await stage.record(requestLine(incoming, attempt, null));
    return deliver(response, read.refused, { how: 'plain' }, stage.closing);
  }
  const { call, route, deadlineMs } = read;
  const isLate = stage.now().getTime() > deadlineMs;
  const fault = strikingFault(stage.memory, call, attempt ?? 1, isLate);
  const recorded = stage.record(requestLine(incoming, attempt, fault?.id ?? null));
  const plan = planOf(fault?.fault.do ?? magicOf(call), route);
  if (isLate && !plan.ignoresDeadline) {
    await recorded;
    const late = refusal(410, 'deadline_passed', `it is past ${incoming.deadline}`);
    return deliver(response, late, { how: 'plain' }, stage.closing);
  }
  const bodyHash = incoming.bodyHash ?? '';
  return performPlan(stage, { call, route, bodyHash, plan }, response, recorded);
}

// A fault is used up by what it does: a request that comes too late is refused without it.
function strikingFault(
  memory: Memory,
  call: Call,
  attempt: number,
  isLate: boolean,
): ScriptedFault | null {
  const { provider, operation, reference } = call;
  const fault = findFault(memory.script, { provider, operation, reference, attempt });
  return isLate && fault?.fault.do.name !== 'ignore_deadline' ? null : fault;
}

function attemptOf(memory: Memory, incoming: Incoming): number | null {
  const { provider, route, reference } = incoming;
  if (route === null || reference === null) return null;
  return attemptsBefore(memory, provider, route.operation, reference) + 1;
}

function requestLine(
  incoming: Incoming,
  attempt: number | null,
  fault: string | null,
): RequestLine {
  const { provider, route, method, target, key, reference, deadline, bodyHash, body } = incoming;
  return {
    line: 'request',
    provider,
    operation: route?.operation ?? null,
    method,
    path: target,
    key,
    reference,
    deadline,
    body_hash: bodyHash,
    body,
    attempt,
    fault,
  };
}

async function performPlan(
  stage: Stage,
  admitted: AdmittedCall,
  response: ServerResponse,
  recorded: Promise<void>,
): Promise<void> {
  const { plan } = admitted;
  if (plan.instead !== null) {
    await recorded;
    return standIn(plan.instead, plan, response, stage.closing);
  }
  // From here to the first wait nothing else runs: of two requests with one key one is the first.
  const claim = claimKey(stage, admitted);
  let answer: Answer;
  try {
    if (plan.resetFirst || plan.waitMs > 0) {
      await recorded;
      if (plan.resetFirst) resetConnection(response);
      await sleep(plan.waitMs, undefined, { signal: stage.closing });
    }
    answer = await carryOut(stage, admitted, claim.known);
    await recorded;
  } finally {
    claim.release();
  }
  return deliver(response, answer, plan.manner, stage.closing);
}

async function standIn(
  instead: Answer | 'hang' | 'reset',
  plan: Plan,
  response: ServerResponse,
  closing: AbortSignal,
): Promise<void> {
  if (instead === 'hang') return;
  if (instead === 'reset') return resetConnection(response);
  if (plan.retryAfter !== null) response.setHeader('retry-after', plan.retryAfter);
  return deliver(response, instead, { how: 'plain' }, closing);
}

/** The answer that the key has already, or the key itself until it is released. */
function claimKey(
  stage: Stage,
  { call, route, bodyHash, plan }: AdmittedCall,
): { readonly known: Answer | null; readonly release: () => void } {
  const free = { known: null, release: () => {} };
  if (call.provider !== 'payments' || route.reads || plan.key === 'ignored') return free;
  const { payments } = stage.memory.world;
  const { reference: key, operation } = call;
  if (plan.key === 'forgotten' && payments.keys.has(key)) {
    void stage.record({ line: 'key_forgotten', key });
  }
  const known = answerOfKey(payments, key, { operation, bodyHash }, stage.now().getTime());
  if (known !== null) return { known, release: () => {} };
  payments.atWork.set(key, { operation, bodyHash });
  return { known, release: () => payments.atWork.delete(key) };
}

/** Makes the effects, unless the answer is known, and gives the answer as the plan shows it. */
async function carryOut(
  stage: Stage,
  admitted: AdmittedCall,
  known: Answer | null,
): Promise<Answer> {
  const { route, plan } = admitted;
  const answer = known ?? (await makeEffects(stage, admitted));
  if (plan.hidden) return refusal(500, 'internal', 'scripted to fail');
  if (plan.otherId) return distorted(answer, 'id', stage.newId);
  const isTold = known !== null || route.reads;
  return plan.wrongAmount && isTold ? distorted(answer, 'amount', stage.newId) : answer;
}

async function makeEffects(stage: Stage, admitted: AdmittedCall): Promise<Answer> {
  const { call, bodyHash, plan } = admitted;
  const { memory, newId } = stage;
  const actual = plan.wrongAmount ? withWrongAmount(call) : call;
  const keepsKey = plan.key !== 'ignored';
  const decision = decide(memory.world, actual, { newId, bodyHash, keepsKey });
  const effects = plan.copies === 2 ? doubled(decision.effects, newId) : decision.effects;
  const drafts: Draft[] = [
    ...effects.map((effect) => ({ line: 'effect', effect }) as const),
    ...decision.mentions.map((mention) => ({ line: 'mention', mention }) as const),
  ];
  await stage.record(...drafts);
  return decision.answer;
}
