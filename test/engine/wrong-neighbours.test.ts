import { beforeAll, describe, expect, test } from 'vitest';
import { defineSaga } from '../../src/engine/saga/define-saga.js';
import type { SagaDefinition } from '../../src/engine/saga/definition.js';
import { compilerWords } from '../support/compiler-words.js';

/** Where it is said: in a step before the pivot, in the undo of one, at the pivot, or after it. */
type Place = 'step' | 'undo' | 'pivot' | 'after';
/** What is said, what the compiler answers, and what the definition answers without types. */
type Row = readonly [place: Place, says: object, compiler: string, definition: string];

const undo = { run: 'voidLabel', whenUnknown: 'ask-person' };
const person = { whenUnknown: 'ask-person' };
const provider = { whenUnknown: 'ask-provider' };
const repeat = { whenUnknown: 'repeat', why: 'harmless' };
const miss = { whenUnknown: 'prefer-miss', why: 'nobody misses it' };
const twice = { whenUnknown: 'prefer-duplicate', why: 'two are better' };
const nothingToUndo = 'it lapses by itself';
const [onStuckUndo, find] = ['stop', 'findLabel'];

const SAFE = 'retry-with-key, ask-provider, ask-person';
const ANY = `${SAFE}, prefer-duplicate, prefer-miss`;

const SILENT =
  'Needed<"say what is done when nobody knows whether it took effect: nothing is right';
const ASKED = '"whenUnknown" is missing: what if nobody knows whether it took effect? say';
const MUST_KNOW = '"prefer-duplicate" and "prefer-miss" need "nothingToUndo": an undo must know';
const ITS_UNDO = 'has no place here, because its undo has to know what happened; say';
const INSTEAD = `${SAFE}, or "nothingToUndo" with the reason instead of "undo"`;
const ONE_OF = `is not assignable to type '"ask-person" | "retry-with-key" | "ask-provider"`;
const BLINDLY = `"repeat" has no place here, because only an undo may be repeated blindly; say ${ANY}`;
const OF_PIVOT = `has no place here, because of the pivot it must become known what happened; say ${SAFE}`;
const OWED = `has no place here, because an undo is owed, so it may be neither missed nor doubled; say ${SAFE}, repeat`;
const NEEDS_FIND = 'whenUnknown "ask-provider" needs "find": the name of what asks the provider';
const ONLY_ASKED = 'only "retry-with-key" and "ask-provider" ever ask a find';
const INSTEAD_OF_FIND = ': leave it out, or say ask-provider';
const NEEDS_WHY = 'needs "why": the reason that makes it right here';
const OR_ELSE = 'a step has "undo", and perhaps "onStuckUndo", or else "nothingToUndo" says why';
const ONWARD = 'from the pivot on nothing is undone';
const AT_PIVOT = 'has no place here: the step is the pivot and is never undone; leave it out';
const PAST = 'has no place here: the step stands after the pivot and is never undone; leave it out';

const ROWS: readonly Row[] = [
  // nothing is said of the unknown outcome
  ['step', { undo }, SILENT, `${ASKED} ${SAFE}`],
  ['step', { nothingToUndo }, SILENT, `${ASKED} ${ANY}`],
  ['undo', {}, SILENT, `${ASKED} ${SAFE}, repeat`],
  ['pivot', {}, SILENT, `${ASKED} ${SAFE}`],
  ['after', {}, SILENT, `${ASKED} ${ANY}`],
  // something that has no place there
  ['step', { ...miss, undo }, MUST_KNOW, `whenUnknown "prefer-miss" ${ITS_UNDO} ${INSTEAD}`],
  ['step', { ...twice, undo }, MUST_KNOW, `whenUnknown "prefer-duplicate" ${ITS_UNDO} ${INSTEAD}`],
  ['step', { ...repeat, undo }, `"repeat"' ${ONE_OF}`, `whenUnknown "repeat" ${ITS_UNDO} ${SAFE}`],
  ['step', { ...repeat, nothingToUndo }, `"repeat"' ${ONE_OF}`, `whenUnknown ${BLINDLY}`],
  ['after', repeat, `"repeat"' ${ONE_OF}`, `whenUnknown ${BLINDLY}`],
  ['pivot', repeat, `"repeat"' ${ONE_OF}'.`, `whenUnknown "repeat" ${OF_PIVOT}`],
  ['pivot', miss, `"prefer-miss"' ${ONE_OF}'.`, `whenUnknown "prefer-miss" ${OF_PIVOT}`],
  ['pivot', twice, `"prefer-duplicate"' ${ONE_OF}'.`, `whenUnknown "prefer-duplicate" ${OF_PIVOT}`],
  ['undo', miss, `"prefer-miss"' ${ONE_OF} | "repeat"`, `whenUnknown "prefer-miss" ${OWED}`],
  ['undo', twice, `"prefer-duplicate"' ${ONE_OF}`, `whenUnknown "prefer-duplicate" ${OWED}`],
  // a find that is missing, or that nobody asks
  ['step', { ...provider, undo }, 'find: "findLabel"', NEEDS_FIND],
  ['step', { ...provider, nothingToUndo }, 'find: "findLabel"', NEEDS_FIND],
  ['undo', provider, 'find: "findVoid"', NEEDS_FIND],
  ['pivot', provider, 'find: "findLabel"', NEEDS_FIND],
  ['after', provider, 'find: "findLabel"', NEEDS_FIND],
  ...(
    [
      ['step', { ...person, undo }],
      ['step', { ...person, nothingToUndo }],
      ['step', { ...miss, nothingToUndo }],
      ['undo', person],
      ['undo', repeat],
      ['pivot', person],
      ['after', person],
      ['after', twice],
    ] as const
  ).map(([place, says]): Row => {
    const asks = place === 'undo' ? 'findVoid' : find;
    const unasked = `"find" is never asked with whenUnknown "${says.whenUnknown}"`;
    return [place, { ...says, find: asks }, ONLY_ASKED, `${unasked}${INSTEAD_OF_FIND}`];
  }),
  // a reason that is missing
  ...(
    [
      ['step', { nothingToUndo }, 'prefer-miss'],
      ['step', { nothingToUndo }, 'prefer-duplicate'],
      ['after', {}, 'prefer-miss'],
      ['undo', {}, 'repeat'],
    ] as const
  ).map(([place, says, whenUnknown]): Row => {
    const needs = `whenUnknown "${whenUnknown}" ${NEEDS_WHY}`;
    return [place, { ...says, whenUnknown }, `Property 'why' is missing`, needs];
  }),
  // the way back
  [
    'step',
    person,
    `Property 'nothingToUndo' is missing`,
    'stands before the pivot: say "undo", or "nothingToUndo" with the reason',
  ],
  [
    'step',
    { ...person, undo, nothingToUndo },
    OR_ELSE,
    'says both "undo" and "nothingToUndo": keep the one that is true',
  ],
  [
    'step',
    { ...person, nothingToUndo, onStuckUndo },
    OR_ELSE,
    '"onStuckUndo" is for a step that has an "undo": leave it out',
  ],
  ['pivot', { ...person, undo }, ONWARD, `"undo" ${AT_PIVOT}`],
  ['pivot', { ...person, nothingToUndo }, ONWARD, `"nothingToUndo" ${AT_PIVOT}`],
  ['pivot', { ...person, onStuckUndo }, ONWARD, `"onStuckUndo" ${AT_PIVOT}`],
  ['after', { ...person, undo }, ONWARD, `"undo" ${PAST}`],
  ['after', { ...person, nothingToUndo }, ONWARD, `"nothingToUndo" ${PAST}`],
  ['after', { ...person, onStuckUndo }, ONWARD, `"onStuckUndo" ${PAST}`],
];

/** What is right there, so that the rows above are wrong for what they say and nothing else. */
const RIGHT: readonly (readonly [Place, object])[] = [
  ['step', { ...provider, find, undo, onStuckUndo }],
  ['step', { ...miss, nothingToUndo }],
  ['undo', repeat],
  ['undo', { ...provider, find: 'findVoid' }],
  ['pivot', { whenUnknown: 'retry-with-key', find }],
  ['after', twice],
];

const UNDONE_BY_NOTHING = ['step', { ...person, run: 'tell', undo }] as const;

const HEAD = `
import type { Act, FindOf, UndoOf } from '../../src/engine/saga/act.js';
import { defineSaga } from '../../src/engine/saga/define-saga.js';
interface Acts {
  buyLabel: Act<'carrier', { grams: number }, { id: string }>;
  voidLabel: UndoOf<'buyLabel', { grams: number }, { id: string }, null>;
  findLabel: FindOf<'buyLabel', { id: string }>;
  findVoid: FindOf<'voidLabel', null>;
  tell: Act<'carrier', { grams: number }, null>;
}
const input = ({ input }: { input: { grams: number } }) => ({ grams: input.grams });
const saga = defineSaga<{ grams: number }, Acts>('send-parcel', { version: 1 });
const pivoted = saga.pivot('p', { run: 'buyLabel', at: 'carrier', whenUnknown: 'ask-person', input });
`;

/** One line for each, behind the head. */
function wordsOf(said: readonly (readonly [Place, object, ...unknown[]])[]) {
  const lines = said.map(([place, says]) => {
    const own = JSON.stringify({ run: 'buyLabel', ...specOf(place, says) }).slice(1, -1);
    const at = { step: 'saga.step', undo: 'saga.step', pivot: 'saga.pivot', after: 'pivoted.step' };
    return `${at[place]}('a', { at: 'carrier', input, ${own} });`;
  });
  return compilerWords([HEAD, ...lines].join('\n')).slice(-lines.length);
}

function specOf(place: Place, says: object): object {
  return place === 'undo' ? { ...person, undo: { run: undo.run, ...says } } : says;
}

interface Untyped extends SagaDefinition {
  step(name: string, spec: object): Untyped;
  pivot(name: string, spec: object): Untyped;
}

function define(place: Place, says: object): Untyped {
  const saga = defineSaga('send-parcel', { version: 1 }) as unknown as Untyped;
  const call = { run: 'buyLabel', at: 'carrier', input: () => ({}) };
  const spec = { ...call, ...specOf(place, says) };
  if (place === 'pivot') return saga.pivot('a', spec);
  return (place === 'after' ? saga.pivot('p', { ...call, ...person }) : saga).step('a', spec);
}

describe('an option with a wrong neighbour', () => {
  let words: readonly string[];
  beforeAll(() => {
    words = wordsOf([...ROWS, ...RIGHT, UNDONE_BY_NOTHING]);
  }, 60_000);
  const rows = ROWS.map((row, index) => [row[0], row[1], row, index] as const);

  test.each(rows)('%s %j: the compiler says what is meant', (_place, _says, row, index) => {
    expect(words[index]?.replaceAll('\\"', '"')).toContain(row[2]);
  });

  test.each(rows)(
    '%s %j: the definition says where, what, and what to do',
    (...[place, says, row]) => {
      const where = place === 'undo' ? 'send-parcel › a › undo' : 'send-parcel › a';
      expect(() => define(place, says)).toThrow(
        expect.objectContaining({ name: 'SagaDefinitionError', message: `${where}: ${row[3]}` }),
      );
    },
  );

  test('is what is wrong: without it each of them is taken', () => {
    expect(words.slice(ROWS.length, -1)).toEqual(RIGHT.map(() => ''));
    for (const [place, says] of RIGHT) expect(() => define(place, says)).not.toThrow();
  });

  test('an act that nothing undoes is told so', () => {
    expect(words.at(-1)).toContain('none of the acts is an UndoOf of this one: write it, or say');
  });
});
