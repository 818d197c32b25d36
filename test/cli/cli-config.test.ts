import { expect, test } from 'vitest';
import { ConfigError, readCliConfig } from '../../src/config.js';

test('nothing set, or set to nothing, is nothing told', () => {
  const nothing = { url: null, key: null, databaseUrl: null };
  expect(readCliConfig({})).toEqual(nothing);
  expect(readCliConfig({ RECOURSE_URL: '', RECOURSE_KEY: '', DATABASE_URL: '' })).toEqual(nothing);
});

test('an address loses the slash at its end', () => {
  const env = { RECOURSE_URL: 'https://api.example.com/recourse/', RECOURSE_KEY: 'rk_1_secret' };
  expect(readCliConfig(env)).toMatchObject({
    url: 'https://api.example.com/recourse',
    key: 'rk_1_secret',
  });
});

test.each([
  ['RECOURSE_URL', 'api.example.com'],
  ['RECOURSE_URL', 'ftp://api.example.com'],
  ['RECOURSE_URL', 'https://ada:secret@api.example.com'],
  ['RECOURSE_URL', 'https://api.example.com/?to=me'],
  ['RECOURSE_KEY', 'rk_1_secret\n'],
  ['RECOURSE_KEY', 'rk_1 secret'],
  ['DATABASE_URL', 'mysql://127.0.0.1/recourse'],
])('%s=%j is refused in one line that does not repeat it', (name, value) => {
  const read = () => readCliConfig({ [name]: value });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(new RegExp(`^${name}: [^\n]+$`));
  expect(read).not.toThrow(/secret/);
});
