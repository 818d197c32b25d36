import type { Fault, ScriptedFault } from './fault-script.js';
import type { Mention } from './world/answer.js';
import type { Effect, Operation, Provider, World } from './world/world.js';
import { applyEffect, applyMention, emptyWorld } from './world/world.js';

/** A request as it goes on record. Snake case: this is also the form on disk and on the wire. */
export interface RequestLine {
  readonly line: 'request';
  readonly provider: Provider;
  /** Null where the protocol has no such route. */
  readonly operation: Operation | null;
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
  readonly reference: string | null;
  readonly deadline: string | null;
  readonly body_hash: string | null;
  readonly body: unknown;
  /** Counts the requests with this reference at this operation, from 1. */
  readonly attempt: number | null;
  /** The scripted fault that struck it. */
  readonly fault: string | null;
}

export type Draft =
  | RequestLine
  | { readonly line: 'effect'; readonly effect: Effect }
  | { readonly line: 'mention'; readonly mention: Mention }
  | { readonly line: 'key_forgotten'; readonly key: string }
  | { readonly line: 'fault'; readonly fault: Fault }
  | { readonly line: 'faults_cleared' };

/** A line of the record. One sequence counts all of them, so the order across kinds is known. */
export type Entry = Draft & { readonly sequence: number; readonly at: string };

type EntryOf<L extends Draft['line']> = Extract<Draft, { line: L }> & Omit<Entry, 'line'>;

/** Everything the sandbox knows: the sum of its record's lines, and of nothing else. */
export interface Memory {
  sequence: number;
  readonly world: World;
  script: ScriptedFault[];
  readonly requests: EntryOf<'request'>[];
  readonly effects: EntryOf<'effect'>[];
  readonly attempts: Map<string, number>;
}

export function emptyMemory(): Memory {
  return {
    sequence: 0,
    world: emptyWorld(),
    script: [],
    requests: [],
    effects: [],
    attempts: new Map(),
  };
}

/** Takes in one line. The same lines in the same order give the same memory, after a crash too. */
export function remember(memory: Memory, entry: Entry): void {
  memory.sequence = entry.sequence;
  switch (entry.line) {
    case 'request':
      return rememberRequest(memory, entry);
    case 'effect':
      memory.effects.push(entry);
      return applyEffect(memory.world, entry.effect, Date.parse(entry.at));
    case 'mention':
      return applyMention(memory.world, entry.mention);
    case 'key_forgotten':
      memory.world.payments.keys.delete(entry.key);
      return;
    case 'fault':
      memory.script.push({ id: `fault_${entry.sequence}`, fault: entry.fault, used: 0 });
      return;
    case 'faults_cleared':
      memory.script = [];
      return;
  }
}

/** How many requests with this reference came to this operation before. */
export function attemptsBefore(
  memory: Memory,
  provider: Provider,
  operation: Operation,
  reference: string,
): number {
  return memory.attempts.get(`${provider} ${operation} ${reference}`) ?? 0;
}

function rememberRequest(memory: Memory, entry: EntryOf<'request'>): void {
  memory.requests.push(entry);
  const { provider, operation, reference, attempt, fault } = entry;
  if (attempt !== null) memory.attempts.set(`${provider} ${operation} ${reference}`, attempt);
  const struck = memory.script.find((one) => one.id === fault);
  if (struck !== undefined) struck.used += 1;
}

/** The requests whose reference begins with a prefix, as the witness shows them. */
export function shownRequests(memory: Memory, prefix: string): Record<string, unknown>[] {
  return memory.requests
    .filter(({ reference }) => (reference ?? '').startsWith(prefix))
    .map(({ line: _line, ...request }) => request);
}

/** The effects whose reference begins with a prefix, as the witness shows them. */
export function shownEffects(memory: Memory, prefix: string): Record<string, unknown>[] {
  return memory.effects
    .filter(({ effect }) => effect.reference.startsWith(prefix))
    .map(({ sequence, at, effect }) => ({ sequence, at, ...effect }));
}
