import { streamPlaces, type StreamPlaces } from '../events/stream-places.js';
import type { Problem } from '../http/problem.js';
import { poolWaitMs, type Database } from '../database/database.js';
import { LINE_MS, type AdmissionLimits } from './admission-limits.js';
import { watchBacklog } from './backlog.process.js';
import { watchLoopDelay } from './loop-delay.process.js';
import { RequestRates } from './request-rates.js';
import { leaseRequests } from './request-windows.store.js';
import { shed, type Arrived, type Signals } from './shedding.js';
import { Turns } from './turns.process.js';
import { WorkPlaces } from './work-places.js';

/** What decides whether a request is let in, before anything is done for it. */
export interface Admission {
  /** The problem that it is refused with; undefined: it may go on. Asks nobody. */
  readonly refuse: (arrived: Arrived) => Problem | undefined;
  readonly rates: RequestRates;
  /** For requests that something is done for. */
  readonly works: WorkPlaces;
  /** One after another, where an account has many of them. */
  readonly turns: Turns;
  /** For requests that wait for news. */
  readonly waiting: StreamPlaces;
  close(): void;
}

export interface AdmissionSettings {
  /** Whose connections are waited for. */
  readonly database: Database;
  /** Connections of its own, so that it can ask when all the others are in use. */
  readonly control: Database;
  readonly limits: AdmissionLimits;
  readonly clocks: () => { readonly monotonicMs: number; readonly wallMs: number };
  /** Replaces what the process would see by itself. @default nothing */
  readonly signals?: Partial<Signals>;
}

/** Watches this process, from now until it is closed. */
export function openAdmission(settings: AdmissionSettings): Admission {
  const { database, control, limits, clocks } = settings;
  const monotonicMs = () => clocks().monotonicMs;
  const loop = watchLoopDelay(limits.loopDelayMs, monotonicMs);
  const backlog = watchBacklog(control, limits.backlogMs);
  const signals: Signals = {
    isLoopLate: () => loop.isLate(),
    poolWaitMs: () => poolWaitMs(database),
    isBacklogOld: () => backlog.isOld(),
    wallMs: () => clocks().wallMs,
    ...settings.signals,
  };
  const lease = leaseRequests.bind(null, control);
  return {
    refuse: (arrived) => shed(arrived, signals, limits),
    rates: new RequestRates(lease, monotonicMs),
    works: new WorkPlaces({ all: limits.inFlight, account: limits.inFlightOfAccount }),
    turns: new Turns(limits.atOnceOfAccount, limits.lineMs ?? LINE_MS),
    waiting: streamPlaces(),
    close() {
      loop.close();
      backlog.close();
    },
  };
}
