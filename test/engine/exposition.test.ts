import { expect, test } from 'vitest';
import { parseExposition } from '../support/exposition.js';

// What reads the scrapes of other tests must itself see what is wrong with one.

const histogram = (...lines: string[]) => ['# TYPE h histogram', ...lines, ''].join('\n');

test.each([
  ['a series before its metric', 'a 1\n'],
  ['a series of another metric', '# TYPE a gauge\nb 1\n'],
  ['a metric that comes twice', '# TYPE a gauge\na 1\n# TYPE a gauge\n'],
  ['a series that comes twice', '# TYPE a gauge\na{b="1"} 1\na{b="1"} 2\n'],
  ['help that comes twice', '# HELP a x\n# HELP a x\n'],
  ['an unknown type', '# TYPE a number\n'],
  ['a name with a dash', '# TYPE a gauge\na-b 1\n'],
  ['a label without quotes', '# TYPE a gauge\na{b=1} 1\n'],
  ['a label that comes twice', '# TYPE a gauge\na{b="1",b="2"} 1\n'],
  ['a value that is no number', '# TYPE a gauge\na one\n'],
  ['a counter below zero', '# TYPE a counter\na -1\n'],
  ['a last line without end', '# TYPE a gauge\na 1'],
  ['a bucket too few', histogram('h_bucket{le="1"} 1', 'h_sum 1', 'h_count 1')],
  [
    'buckets that shrink',
    histogram('h_bucket{le="1"} 2', 'h_bucket{le="+Inf"} 1', 'h_sum 1', 'h_count 1'),
  ],
  [
    'a count that is not the last bucket',
    histogram('h_bucket{le="+Inf"} 2', 'h_sum 1', 'h_count 1'),
  ],
  ['a count without a sum', histogram('h_bucket{le="+Inf"} 1', 'h_count 1')],
])('%s is refused', (_what, text) => {
  expect(() => parseExposition(text)).toThrow();
});

test('metrics, labels with quotes in them, and histograms are read', () => {
  const told = parseExposition(
    [
      '# what others say',
      '# HELP a How many.',
      '# TYPE a counter',
      'a{b="x",c="say \\"hi\\""} 2',
      'a{b="y",c=""} 3.5',
      '',
      histogram('h_bucket{le="1"} 1', 'h_bucket{le="+Inf"} 2', 'h_sum 4.5', 'h_count 2'),
    ].join('\n'),
  );
  expect(told.sum('a')).toBe(5.5);
  expect(told.sum('a', { c: 'say "hi"' })).toBe(2);
  expect(told.sum('a', { b: 'z' })).toBeUndefined();
  expect(told.sum('h_count')).toBe(2);
});
