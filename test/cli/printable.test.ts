import { expect, test } from 'vitest';
import { printable, toJson } from '../../src/cli/printable.js';

const CLEAR_SCREEN = '\u001B[2J';
const C1_CSI = '\u009B2J';
const TURN_ROUND = '\u202E';

test.each([
  [`ch_${CLEAR_SCREEN}9`, 'ch_\uFFFD[2J9'],
  [`ch_${C1_CSI}`, 'ch_\uFFFD2J'],
  [`ch_${TURN_ROUND}9`, 'ch_\uFFFD9'],
  ['two\nlines', 'two\uFFFDlines'],
  ['Zoë – 東京', 'Zoë – 東京'],
])('%j is shown as %j, wherever it stands', (text, shown) => {
  expect(printable({ data: [{ id: text, n: 1, none: null }] })).toEqual({
    data: [{ id: shown, n: 1, none: null }],
  });
});

test('JSON keeps every character, and steers no terminal', () => {
  const value = { id: `${CLEAR_SCREEN}${C1_CSI}${TURN_ROUND}\u007F`, lines: ['a\nb'] };
  const json = toJson(value);
  expect(JSON.parse(json)).toEqual(value);
  expect(json.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202E]/u);
});
