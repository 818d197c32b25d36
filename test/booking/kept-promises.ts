import type { House } from '../support/house.js';
import type { SandboxEffect } from '../support/sandbox.js';

export interface TripPromises {
  /** How it ended, as far as the providers can tell. */
  readonly end: 'completed' | 'undone' | 'cancelled';
  /** Steps that took effect and that a person put right, without a call of ours. */
  readonly byHand?: readonly string[];
}

interface JournalRow {
  readonly kind: string;
  readonly step?: string;
  readonly direction?: string;
  readonly attempt?: number;
}

/** What can be undone of a trip, and all of it. */
const UNDOABLE = ['charge', 'flight', 'hotel'];
const ALL = [...UNDOABLE, 'ticket', 'receipt'];

/**
 * The promises that are broken for a trip that has ended, in words; none when all is well. What
 * took effect is told by the sandbox, which knows nothing of the record.
 */
export async function brokenPromises(
  house: House,
  id: string,
  { end, byHand = [] }: TripPromises,
): Promise<readonly string[]> {
  const effects = await house.sandbox.effects(`${id}:`);
  const lines = await journalOf(house, id);
  const left = await leftOpen(house, id);
  return [
    ...twiceIn(effects.map((effect) => nameOf(id, effect))).map(
      (name) => `${name} took effect twice`,
    ),
    ...twiceIn(lines.flatMap(onceOnly)).map((line) => `the journal has ${line} twice`),
    ...(end === 'completed' ? notComplete(id, effects) : notUndone(id, effects, byHand)),
    ...left,
  ];
}

/** What took effect, as `step kind`, in order. */
export function nameOf(id: string, { reference, kind }: SandboxEffect): string {
  return `${reference.slice(id.length + 1)} ${kind}`;
}

export async function journalOf(house: House, id: string): Promise<readonly JournalRow[]> {
  const { rows } = await house.db.query<{ line: JournalRow }>(
    `select line from journal where run = $1::text order by seq`,
    [id],
  );
  return rows.map(({ line }) => line);
}

/** What a journal says once of each attempt, and what it says once of a run. */
function onceOnly({ kind, step, direction, attempt }: JournalRow): readonly string[] {
  const isOfAttempt = kind === 'begun' || kind === 'ended';
  if (isOfAttempt) return [`${kind} ${step} ${direction} ${attempt}`];
  return ['accepted', 'unwinding', 'cancel-accepted', 'finished'].includes(kind) ? [kind] : [];
}

function twiceIn(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
}

function stepsWith(id: string, effects: readonly SandboxEffect[]): ReadonlySet<string> {
  return new Set(effects.map(({ reference }) => reference.slice(id.length + 1)));
}

function notComplete(id: string, effects: readonly SandboxEffect[]): readonly string[] {
  const steps = stepsWith(id, effects);
  const missing = ALL.filter((step) => !steps.has(step)).map((step) => `${step} is missing`);
  const undone = UNDOABLE.filter((step) => steps.has(`${step}:undo`));
  return [...missing, ...undone.map((step) => `${step} was undone in a trip that completed`)];
}

function notUndone(
  id: string,
  effects: readonly SandboxEffect[],
  byHand: readonly string[],
): readonly string[] {
  const steps = stepsWith(id, effects);
  const open = UNDOABLE.filter(
    (step) => steps.has(step) !== (steps.has(`${step}:undo`) || byHand.includes(step)),
  );
  const past = ['ticket', 'receipt'].filter((step) => steps.has(step));
  return [
    ...open.map((step) => `${step} was done or undone alone`),
    ...past.map((step) => `${step} took effect in a trip that was undone`),
  ];
}

async function leftOpen(house: House, id: string): Promise<readonly string[]> {
  const { rows } = await house.db.query<{ what: string }>(
    `select 'the case ' || problem || ' of ' || step || ' is open' as what
     from cases where run = $1::text and state = 'open'
     union all
     select 'an attempt of ' || step || ' is on its way'
     from attempts where run = $1::text and state = 'sending'
     union all
     select 'the run is ' || state from runs where id = $1::text and ended_at is null`,
    [id],
  );
  return rows.map(({ what }) => what);
}
