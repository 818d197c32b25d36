import type { ClaimsFigures } from '../claims/claims.process.js';
import type { ExplorerFigures } from '../explorer/explore.process.js';
import type { Footprint } from '../footprint/footprint.js';
import type { FrontDoorFigures } from '../front-door/front-door.process.js';
import type { Machine } from './machine.process.js';
import type { Figures, Ratio } from './summarise.js';

/** What is measured without a Temporal server; null: it was not. */
export interface Alone {
  readonly explorer: ExplorerFigures | null;
  readonly claims: ClaimsFigures | null;
  readonly front_door: FrontDoorFigures | null;
}

/** What a whole run writes down. Times are milliseconds, sizes bytes; CPU is that of a trip. */
export interface Results extends Alone {
  /** The day, by the machine's clock. */
  readonly made_on: string;
  readonly machine: Machine;
  readonly rounds: number;
  readonly seconds_each: number;
  /** Trips a second of the saga by hand in a short trial, by how its worker is set. */
  readonly by_hand_worker: {
    readonly used: string;
    readonly trips_per_second: Readonly<Record<string, number>>;
  };
  /** CPU milliseconds a second of each process while nobody does anything. */
  readonly idle_cpu_ms: Readonly<Record<string, number>>;
  readonly figures: readonly Figures[];
  readonly ratios: readonly Ratio[];
  readonly footprints: readonly Footprint[];
}

/** The whole as JSON, with no more digits than mean something. */
export function jsonOf(results: Results): string {
  return `${JSON.stringify(results, (_name, value: unknown) => roundedIn(value), 2)}\n`;
}

function roundedIn(value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value)
    ? Number(value.toPrecision(DIGITS))
    : value;
}

const DIGITS = 4;
