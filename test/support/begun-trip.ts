import { inTransaction } from '../../src/engine/database/database.js';
import { applyChange } from '../../src/engine/journal/run-change.store.js';
import { openRun } from '../../src/engine/journal/run-record.store.js';
import { callInputPlace } from '../../src/engine/journal/sealed-places.js';
import type { Sagas } from '../../src/engine/sagas.js';
import { append } from './append.js';
import type { TestApi } from './api.js';

const TOKEN = '00000000-0000-4000-8000-000000000000';
const PERSON = { name: 'Ada Byron', email: 'ada@example.com' };

/** What each step of a trip is sent. */
const SENT: Readonly<Record<string, unknown>> = {
  charge: { source: 'tok_visa', total: { amount: 240_000, currency: 'INR' } },
  flight: { offer: 'BLR-LHR-0417', traveller: PERSON },
  hotel: { offer: 'H-204', nights: 2, guest: PERSON },
  ticket: { order: 'or_1' },
};

/** Begins a step as a worker does: with what it sends, and the time until which it may be sent. */
export async function begin(
  { database, sealer }: Pick<TestApi, 'database' | 'sealer'>,
  sagas: Sagas,
  run: string,
  step: string,
  timeoutMs = 10_000,
): Promise<void> {
  const of = { step, direction: 'do' } as const;
  const input = sealer.seal(SENT[step], callInputPlace({ run, ...of }));
  const attempt = { attempt: 1, token: TOKEN, timeoutMs, worker: 'w-1' };
  await inTransaction(database, async (tx) => {
    await applyChange(tx, await openRun(tx, sagas, run), {
      facts: [{ kind: 'begun', ...of, attempt: 1 }],
      keys: [{ ...of, input, sent: true }],
      begun: { ...of, ...attempt },
    });
  });
}

/** Begins steps as a worker does, and has each take effect. */
export async function doSteps(
  api: TestApi,
  sagas: Sagas,
  run: string,
  ...steps: readonly string[]
): Promise<void> {
  for (const step of steps) {
    await begin(api, sagas, run, step);
    await endStep(api, sagas, run, step, { outcome: 'done', provider_id: null });
  }
}

type End =
  | { readonly outcome: 'done'; readonly provider_id: null }
  | { readonly outcome: 'refused'; readonly code: string }
  | {
      readonly outcome: 'unknown';
      readonly cause: string;
      readonly retry_ms: number;
      readonly trying_ms: number;
    };

/** Ends the one attempt of a step that was begun. */
export function endStep(
  { database }: Pick<TestApi, 'database'>,
  sagas: Sagas,
  run: string,
  step: string,
  end: End,
): Promise<void> {
  const fact = { kind: 'ended', step, direction: 'do', attempt: 1, ...end } as const;
  return append(database, sagas, run, fact);
}

/** Nobody knows whether it took effect. */
export const UNKNOWN: End = { outcome: 'unknown', cause: 'time-out', retry_ms: 0, trying_ms: 0 };
