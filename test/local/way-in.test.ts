import { expect, test } from 'vitest';
import { commandLine, ownUrl } from '../../src/local/way-in.js';

test.each([
  ['127.0.0.1', 'http://127.0.0.1:3000'],
  ['0.0.0.0', 'http://127.0.0.1:3000'],
  ['::', 'http://[::1]:3000'],
  ['::1', 'http://[::1]:3000'],
  ['localhost', 'http://localhost:3000'],
])('what listens on %s is reached at %s', (host, url) => {
  expect(ownUrl(host, 3000)).toBe(url);
});

test.each([
  [{}, 'npx recourse'],
  [{ RECOURSE_DATA_DIR: '/var/tmp/r' }, 'RECOURSE_DATA_DIR=/var/tmp/r npx recourse'],
  [{ RECOURSE_DATA_DIR: '/my data' }, "RECOURSE_DATA_DIR='/my data' npx recourse"],
  [{ RECOURSE_DATA_DIR: "/it's" }, "RECOURSE_DATA_DIR='/it'\\''s' npx recourse"],
  [{ PORT: '0' }, 'RECOURSE_URL=http://127.0.0.1:4321 npx recourse'],
  [{ PORT: '4321' }, 'npx recourse'],
])('of a start with %j a second terminal finds it with %s', (env, line) => {
  expect(commandLine(env, 'http://127.0.0.1:4321')).toBe(line);
});

test('a data folder that was named from here is named as a whole path', () => {
  expect(commandLine({ RECOURSE_DATA_DIR: 'data' }, '')).toContain(`=${process.cwd()}/data `);
});
