import { viewRun } from '../../../src/engine/saga/run-view.js';
import type { House } from '../../support/house.js';
import { referenceOf } from './cues.js';
import { gist, isSoft } from './script.js';
import type { TripPlay } from './trip-play.js';

/** Where a run that has been played is otherwise than was foretold, a sentence each. */
export async function differences(house: House, play: TripPlay): Promise<readonly string[]> {
  const { played } = play.foretold;
  const lost = 'lost' in play.course ? [play.course.lost] : [];
  return [
    ...lost,
    ...unlike('journal', play.heard.filter(isHard).map(gist), lines(play)),
    ...unlike('record', await recordOf(house, play.run), foretoldRecord(play)),
    ...unlike('effects', await effectsOf(house, play), foretoldEffects(play)),
    ...(await untold(house, play)),
    ...(played.endless === null ? [] : [played.endless]),
  ];
}

function unlike(what: string, real: unknown, foretold: unknown): readonly string[] {
  const [one, other] = [JSON.stringify(real), JSON.stringify(foretold)];
  return one === other ? [] : [`${what}: ${one}, and not ${other}`];
}

const isHard = (line: Parameters<typeof isSoft>[0]): boolean => !isSoft(line);

function lines({ foretold: { played } }: TripPlay): readonly string[] {
  return played.written
    .map(({ line }) => line)
    .flatMap((line) => (isHard(line) ? [gist(line)] : []));
}

interface RunRow {
  readonly state: string;
  readonly status: string;
  readonly because: string | null;
  readonly steps: readonly object[];
  readonly remains: readonly object[];
  readonly failure: { readonly step: string | null } | null;
  readonly open: number;
}

/** How the run ended, why, where each step stands, what remains, and what is still on the desk. */
async function recordOf(house: House, run: string): Promise<unknown> {
  const { rows } = await house.db.query<RunRow>(
    `select state, status, unwinding_because as because, steps, remains, failure,
       (select count(*)::integer from cases where run = runs.id and cases.state = 'open') as open
     from runs where id = $1`,
    [run],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`there is no ${run}`);
  return told(row);
}

function foretoldRecord({ foretold: { played } }: TripPlay): unknown {
  const { run } = played;
  const view = viewRun(run);
  return told({ ...view, because: run.unwindingBecause, open: run.openCases.size });
}

function told({ state, status, because, steps, remains, failure, open }: RunRow): unknown {
  const sorted = (all: readonly object[]): readonly string[] =>
    all.map((one) => JSON.stringify(Object.entries(one).toSorted()));
  return {
    ...{ state, status, because, failed: failure?.step ?? null, open },
    ...{ steps: sorted(steps), remains: sorted(remains) },
  };
}

/** What the sandbox says took effect, by call, in the order of each call. */
async function effectsOf(house: House, { run }: TripPlay): Promise<unknown> {
  const effects = await house.sandbox.effects(`${run}:`);
  return counted(effects.map(({ reference }) => reference));
}

function foretoldEffects({ run, foretold: { played } }: TripPlay): unknown {
  const ours = played.effects.filter(({ byHand }) => !byHand);
  const found = played.written.some(({ line }) => gist(line) === 'asked flight do differs');
  return counted([
    ...ours.map(({ step, direction }) => referenceOf(run, `${step}:${direction}`)),
    // The seat that somebody else had put there.
    ...(found ? [referenceOf(run, 'flight:do')] : []),
  ]);
}

function counted(references: readonly string[]): unknown {
  const counts = new Map<string, number>();
  for (const one of references) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].toSorted();
}

/** Faults that were foretold and never happened. */
async function untold(house: House, { run, cues, heard }: TripPlay): Promise<readonly string[]> {
  const faults = await house.sandbox.faults();
  const unused = faults.filter(({ match, used }) => {
    return used !== 1 && match?.reference?.startsWith(`${run}:`) === true;
  });
  const ended = heard.flatMap((line) => (line.kind === 'ended' ? [line] : []));
  const missed = [...cues.attempts].filter(([name, { dies, treatment }]) => {
    const ends = ended.filter((line) => `${line.step}:${line.direction}:${line.attempt}` === name);
    const has = (why: string) =>
      ends.some(
        (line) =>
          (line.outcome === 'unknown' && line.cause === why) ||
          (line.outcome === 'again' && line.reason === why) ||
          (line.outcome === 'refused' && line.code === why),
      );
    // What came later is known by the journal, which is compared; so is what all slept through.
    if (dies) return !has('process-died');
    if (treatment?.losesBegin) return !has('unsent');
    return treatment?.isMisdirected ? !has('no-such-thing') : false;
  });
  return [
    ...unused.map((fault) => `did not strike: ${JSON.stringify(fault)}`),
    ...missed.map(([name, { words }]) => `did not happen: ${name} ${words}`),
  ];
}
