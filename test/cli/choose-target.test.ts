import { describe, expect, test } from 'vitest';
import { chooseApi, chooseDatabase } from '../../src/cli/choose-target.js';
import { CliFailure } from '../../src/cli/cli-failure.js';
import type { LocalStart } from '../../src/cli/local-start.process.js';
import type { CliConfig } from '../../src/config.js';

const nothing: LocalStart = {
  folder: '/data',
  apiUrl: null,
  operatorKey: null,
  databaseUrl: null,
};
const stopped: LocalStart = { ...nothing, operatorKey: 'local-key' };
const running: LocalStart = {
  ...stopped,
  apiUrl: 'http://127.0.0.1:3001',
  databaseUrl: 'postgres://recourse:secret@127.0.0.1:54329/recourse',
};
const told = (config: Partial<CliConfig>): CliConfig => ({
  ...{ url: null, key: null, databaseUrl: null },
  ...config,
});

describe('which API is asked, and as whom', () => {
  test.each([
    // told                                       local start   url                      key
    [{}, running, 'http://127.0.0.1:3001', 'local-key'],
    [{}, stopped, 'http://127.0.0.1:3000', 'local-key'],
    [{ key: 'mine' }, running, 'http://127.0.0.1:3001', 'mine'],
    [{ key: 'mine' }, nothing, 'http://127.0.0.1:3000', 'mine'],
    [{ url: 'http://localhost:4000' }, running, 'http://localhost:4000', 'local-key'],
    [{ url: 'http://[::1]:4000' }, running, 'http://[::1]:4000', 'local-key'],
    [{ url: 'https://a.example', key: 'mine' }, running, 'https://a.example', 'mine'],
  ])('told %o, with %o: %s as %s', (config, local, url, key) => {
    expect(chooseApi(told(config), () => local)).toEqual({ url, key });
  });

  test.each([
    ['https://api.example.com'],
    ['http://127.0.0.1.example.com'],
    ['http://10.0.0.7:3000'],
    ['http://localhost.example.com'],
  ])('the key of the local start is not sent to %s', (url) => {
    const choose = () => chooseApi(told({ url }), () => running);
    expect(choose).toThrow(CliFailure);
    expect(choose).toThrow(/^RECOURSE_KEY is not set: .* keys create/);
  });

  test('without any key it says where it looked and what to do', () => {
    const choose = () => chooseApi(told({}), () => nothing);
    expect(choose).toThrow(/RECOURSE_KEY is not set, and \/data\/dev-keys\.json .* npm start/);
  });
});

describe('which database is meant', () => {
  test.each([
    [{ databaseUrl: 'postgres://db/named' }, running, 'postgres://db/named'],
    [{}, running, running.databaseUrl],
  ])('told %o, with %o: %s', (config, local, url) => {
    expect(chooseDatabase(told(config), () => local)).toBe(url);
  });

  test('without any it says what to do', () => {
    expect(() => chooseDatabase(told({}), () => stopped)).toThrow(
      /^no database is named.*\/data.*DATABASE_URL.*--database-url.*npm start/,
    );
  });
});
