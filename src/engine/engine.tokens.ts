import type { KeyRing } from './accounts/key-ring.process.js';
import type { Admission } from './admission/admission.process.js';
import type { Database } from './database/database.js';
import type { FrontDoor } from './http/front-door.provider.js';
import type { GateParts } from './idempotency/claims.store.js';
import type { RunNews } from './runs/run-news.process.js';
import type { TemporalRuns } from './runs/temporal-runs.js';
import type { Sagas } from './sagas.js';
import type { Logger } from './telemetry/logger.js';
import type { ApiMeters } from './telemetry/meters.js';

/** The name under which Nest hands out the parts of the engine. */
export const ENGINE = Symbol('Engine');

/** What the process root opens and closes, and the API works with. */
export interface EngineParts extends GateParts {
  readonly door: FrontDoor;
  readonly keys: KeyRing;
  readonly admission: Admission;
  /** A few connections that no request waits for: by them a process asks how it does. */
  readonly control: Database;
  readonly temporal: TemporalRuns;
  readonly sagas: Sagas;
  readonly news: RunNews;
  readonly log: Logger;
  readonly meters: ApiMeters;
  /** How long after its last news the sweep first looks at a run, in milliseconds. */
  readonly lookAfterMs: number;
  /** Where the Temporal UI shows one run; null: there is none. */
  readonly temporalLink: ((run: string) => string) | null;
}
