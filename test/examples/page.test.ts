import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sagaChanges } from 'recourse';
import { expect, test } from 'vitest';
import { orderGoodsV1 } from './order/src/order-goods.v1.saga.js';
import { filesOfPage, PAGE } from './page.js';

const EXAMPLE = resolve(import.meta.dirname, 'order');
const written = filesOfPage();
const kept = readdirSync(EXAMPLE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(EXAMPLE.length + 1));

test('every file of the example stands in docs/sagas.md', () => {
  expect(kept.filter((path) => !written.has(path))).toEqual([]);
});

test.each(kept)('%s is the same in docs/sagas.md and in the example', (path) => {
  expect(written.get(path)).toBe(readFileSync(join(EXAMPLE, path), 'utf8'));
});

test('what the page has beside them belongs to the folder of a project alone', () => {
  const beside = [...written.keys()].filter((path) => !existsSync(join(EXAMPLE, path)));
  expect(beside).toEqual(['package.json', 'tsconfig.json', 'recourse.config.js']);
});

test('what version 2 changes is what the page says of it', () => {
  const version2 = { ...orderGoodsV1, version: 2, deadlineMs: 2 * 60_000 };
  const { changes, unseen } = sagaChanges(orderGoodsV1, version2);
  const said = [...changes, '', 'What cannot be seen here:', ...unseen].map((line) =>
    line === '' || line.endsWith(':') ? line : `- ${line}`,
  );
  expect(readFileSync(PAGE, 'utf8')).toContain(
    `order-goods, from version 1 to version 2:\n${said.join('\n')}\n`,
  );
});
