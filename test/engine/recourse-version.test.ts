import { expect, test } from 'vitest';
import { answerAs, RECOURSE_VERSION } from '../../src/engine/http/recourse-version.js';

test('the version that a request names is the one that answers, or else the pinned one', () => {
  expect(answerAs(undefined, RECOURSE_VERSION)).toBe(RECOURSE_VERSION);
  expect(answerAs(RECOURSE_VERSION, '2020-01-01')).toBe(RECOURSE_VERSION);
});

test.each([['2020-01-01'], [''], [`${RECOURSE_VERSION}, ${RECOURSE_VERSION}`], [['a', 'b']]])(
  'a request that names %o is refused',
  (asked) => {
    expect(() => answerAs(asked, RECOURSE_VERSION)).toThrow(
      expect.objectContaining({ code: 'version-unknown' }),
    );
  },
);

test('an account that is pinned to a version of later is not answered with another one', () => {
  expect(() => answerAs(undefined, '2099-01-01')).toThrow(
    expect.objectContaining({ code: 'unavailable' }),
  );
});
