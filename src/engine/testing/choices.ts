/**
 * What goes otherwise than well, by the place where it is chosen: `{'charge, attempt 1': 'answer
 * lost'}`. Whatever is not named goes well.
 */
export type Schedule = Readonly<Record<string, string>>;

/** Where a run could go on in several ways: `{of}` and `{n}` stand for what it is of. */
export interface Place {
  readonly form: string;
  readonly of?: string;
  readonly n?: number;
}

/** What was chosen at one place. Its name is only made for who reads it: most are never read. */
export class Choice {
  constructor(
    /** Milliseconds after the acceptance. */
    readonly at: number,
    readonly place: Place,
    /** Counts up when the same place comes up again, so that each has its own name. */
    readonly time: number,
    /** The first is the good one. */
    readonly options: readonly string[],
    readonly taken: number,
    readonly rank: Rank,
  ) {}

  get where(): string {
    return nameOf(this.place, this.time);
  }

  /** Whether an option other than the first counts as a fault. */
  get isFault(): boolean {
    return this.rank.isFault;
  }

  /** What it is about, for a table of what was tried. */
  get subject(): string {
    return this.rank.subject;
  }
}

/** How a choice counts. */
export interface Rank {
  readonly isFault: boolean;
  readonly subject: string;
}

/** Answers which option is taken at a place, which it can have named; 0 is the good one. */
export type Chooser = (where: () => string, options: readonly string[]) => number;

/** All choices of one run, in the order in which they came up. */
export class Choices {
  readonly made: Choice[];
  /** From here on all goes well: only what is no fault is still chosen. */
  isFaultless = false;

  constructor(
    readonly choose: Chooser,
    before: readonly Choice[] = [],
  ) {
    this.made = [...before];
  }

  /** Takes an option at a moment in milliseconds. */
  take(at: number, place: Place, options: readonly string[], rank: Rank): number {
    if (this.isFaultless && rank.isFault) return this.goWell();
    const time = this.made.filter((one) => isSamePlace(one.place, place)).length + 1;
    const taken = this.choose(() => nameOf(place, time), options);
    this.made.push(new Choice(at, place, time, options, taken, rank));
    return taken;
  }

  /** As if it had been asked, at a place where nobody will look. */
  goWell(): 0 {
    this.made.push(WELL);
    return 0;
  }
}

const WELL = new Choice(0, { form: 'all goes well' }, 1, ['it does'], 0, {
  isFault: true,
  subject: 'the run',
});

function isSamePlace(one: Place, other: Place): boolean {
  return one.form === other.form && one.n === other.n && one.of === other.of;
}

function nameOf({ form, of = '', n = 0 }: Place, time: number): string {
  const name = form.replace('{of}', of).replace('{n}', String(n));
  return time === 1 ? name : `${name}, time ${time}`;
}

/**
 * Takes what the schedule says, and the good option everywhere else.
 * Throws a RangeError when a place has no such option.
 */
export function following(schedule: Schedule): Chooser {
  return (name, options) => {
    const where = name();
    const wanted = schedule[where];
    if (wanted === undefined) return 0;
    const index = options.indexOf(wanted);
    if (index === -1) {
      throw new RangeError(`"${where}" has no "${wanted}"; it has: ${options.join(', ')}`);
    }
    return index;
  };
}

/** The schedule that chooses the same again. */
export function scheduleOf(made: readonly Choice[]): Schedule {
  return Object.fromEntries(
    made.flatMap(({ where, options, taken }) => {
      const option = options[taken];
      return taken === 0 || option === undefined ? [] : [[where, option]];
    }),
  );
}
