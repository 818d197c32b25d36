import { afterAll, beforeAll, expect, test } from 'vitest';
import { parameter, startCommitThief, type CommitThief } from '../support/commit-thief.js';
import { Visitor, type TripWishes } from '../support/customer.js';
import { startHouse, type House } from '../support/house.js';
import { freshDatabase, type TestDatabase } from '../support/postgres.js';
import { CONFIRMED, effectsOf, UNDONE_FROM_HOTEL } from '../support/trip-effects.js';

let database: TestDatabase;
let thief: CommitThief;
let house: House;
let visitor: Visitor;

beforeAll(async () => {
  database = await freshDatabase();
  thief = await startCommitThief(database.url);
  house = await startHouse({
    databaseUrl: thief.url,
    env: { RECOURSE_CALL_TIMEOUT_MS: '9000' },
  });
  visitor = new Visitor(house);
});
afterAll(async () => {
  await house.close();
  await thief.close();
  await database.drop();
});

/** What the two transactions of an attempt say to Postgres, and none else does. */
const BEGIN = 'insert into attempts';
const END = 'update attempts';

interface Course {
  readonly wishes: TripWishes;
  readonly ends: string;
  readonly effects: readonly string[];
  /** Each attempt of it, as step and direction. */
  readonly calls: readonly (readonly [string, 'do' | 'undo'])[];
}

const COURSES: readonly Course[] = [
  {
    wishes: {},
    ends: 'confirmed',
    effects: CONFIRMED,
    calls: [
      ['charge', 'do'],
      ['flight', 'do'],
      ['hotel', 'do'],
      ['ticket', 'do'],
      ['receipt', 'do'],
    ],
  },
  {
    wishes: { hotel: 'H-204-SOLDOUT' },
    ends: 'failed',
    effects: UNDONE_FROM_HOTEL,
    calls: [
      ['hotel', 'do'],
      ['flight', 'undo'],
      ['charge', 'undo'],
    ],
  },
];

test.each([
  ['begins an attempt', BEGIN],
  ['ends one', END],
])(
  'a commit that %s stands although its answer is lost: nothing is sent twice, and no case',
  async (_what, statement) => {
    await house.part('worker').stop();
    const trips = await Promise.all(
      COURSES.map(async (course) => ({ ...course, id: (await visitor.book(course.wishes)).id })),
    );
    for (const { id, calls } of trips) {
      const called = calls.map((call) => call.map(parameter).join(''));
      thief.steal(...called.map((call) => [statement, parameter(id), call]));
    }
    await house.start('worker');
    for (const { id, ends, effects } of trips) {
      await visitor.until(id, [ends]);
      await expect.poll(() => effectsOf(house.sandbox, id), { timeout: 30_000 }).toEqual(effects);
    }
    // The last step has its effect before it is written down that it ended.
    await expect.poll(() => thief.left(), { timeout: 30_000 }).toBe(0);
    const { rows } = await house.db.query(`select * from cases`);
    expect(rows).toEqual([]);
  },
);
