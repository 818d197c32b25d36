import { performance } from 'node:perf_hooks';
import type { Database } from '../../src/engine/database/database.js';
import type { GateParts } from '../../src/engine/idempotency/claims.store.js';
import { ClaimsInFlight } from '../../src/engine/idempotency/claims-in-flight.js';
import { RecentAnswers } from '../../src/engine/idempotency/recent-answers.js';
import { createSealer } from '../../src/engine/sealing/seal.js';

/** What the tests seal with. */
export const TEST_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;

/** The clocks of this process. */
export const ownClocks = () => ({ monotonicMs: performance.now(), wallMs: Date.now() });

/** A memory of answers by the clocks of this process. */
export function ownMemory(): RecentAnswers {
  return new RecentAnswers(ownClocks);
}

/** The gate as a process has it, with a memory of its own. */
export function gateOf(database: Database): GateParts {
  const inFlight = new ClaimsInFlight();
  return { database, sealer: createSealer(TEST_KEYS), recent: ownMemory(), inFlight };
}
