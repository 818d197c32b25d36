import { expect, test } from 'vitest';
import { localFolders, type LocalMachine } from '../../src/local/local-folders.js';

const ada: LocalMachine = {
  env: {},
  uid: 1000,
  home: '/home/ada',
  platform: 'linux',
  installation: '/home/ada/recourse',
};
const root: LocalMachine = { ...ada, uid: 0, home: '/root' };
const mac: LocalMachine = { ...ada, platform: 'darwin', home: '/Users/ada' };
const with_ = (machine: LocalMachine, env: LocalMachine['env']) => ({ ...machine, env });
const CLONE = '[0-9a-f]{12}';

test.each([
  // who and where                              data                              cache
  ['a user', ada, `/home/ada/.local/share/recourse/${CLONE}`, '/home/ada/.cache/recourse'],
  [
    'a user with XDG folders',
    with_(ada, { XDG_DATA_HOME: '/d', XDG_CACHE_HOME: '/c' }),
    `/d/recourse/${CLONE}`,
    '/c/recourse',
  ],
  [
    'a user with relative XDG folders, which do not count',
    with_(ada, { XDG_DATA_HOME: 'd', XDG_CACHE_HOME: 'c' }),
    `/home/ada/.local/share/recourse/${CLONE}`,
    '/home/ada/.cache/recourse',
  ],
  [
    'a user on macOS',
    mac,
    `/Users/ada/Library/Application Support/recourse/${CLONE}`,
    '/Users/ada/Library/Caches/recourse',
  ],
  ['root', root, `/var/tmp/recourse-0/${CLONE}`, '/root/.cache/recourse'],
  [
    'root, whose XDG data folder is as closed as the home',
    with_(root, { XDG_DATA_HOME: '/root/share' }),
    `/var/tmp/recourse-0/${CLONE}`,
    '/root/.cache/recourse',
  ],
  [
    'a user who names the folder',
    with_(ada, { RECOURSE_DATA_DIR: '/data' }),
    '/data',
    '/home/ada/.cache/recourse',
  ],
  ['root who names the folder', with_(root, { RECOURSE_DATA_DIR: '/data' }), '/data', '.*'],
  [
    'an empty name, which counts as none',
    with_(ada, { RECOURSE_DATA_DIR: '' }),
    `/home/ada/.local/share/recourse/${CLONE}`,
    '.*',
  ],
])('%s', (_who, machine, data, cache) => {
  const folders = localFolders(machine);
  expect(folders.data).toMatch(new RegExp(`^${data}$`));
  expect(folders.cache).toMatch(new RegExp(`^${cache}$`));
});

test('two clones have two data folders and one cache', () => {
  const [one, other] = [
    localFolders(ada),
    localFolders({ ...ada, installation: '/home/ada/second' }),
  ];
  expect(one.data).not.toBe(other.data);
  expect(one.cache).toBe(other.cache);
});
