import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../src/local/free-port.client.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { ownFolder } from '../support/owned-process.js';
import { partsOf, remains, spawnStart, startCli, untilDemoIsOver } from './start-cli.js';
import type { LocalStartProcess } from './start-cli.js';

const CHECKOUT = resolve(import.meta.dirname, '../..');

let folder: string;
let port: number;
let start: LocalStartProcess;

beforeAll(async () => {
  folder = join(ownFolder('demo'), 'data');
  port = await freePort();
  start = await startCli(folder, port, ['--demo']);
  await untilDemoIsOver(start);
}, 240_000);
afterAll(() => start.stop());

/** What the demo tells of a trip. */
function toldOf(trip: string): string {
  const [, told = ''] = start.output().split(`── ${trip}'s trip: `);
  return told.split(/\n──|\nThe demo is over/)[0] ?? '';
}

const idIn = (told: string) => /bk_[a-z2-7]{26}/.exec(told)?.[0] ?? '';

async function booking(id: string): Promise<{ status: string }> {
  const headers = { Authorization: `Bearer ${start.customerKey}` };
  const response = await fetch(`${start.url}/v1/bookings/${id}`, { headers });
  return (await response.json()) as { status: string };
}

test.each([
  ['Ada', 'confirmed', /^confirmed, after /, '4 of 4 stand'],
  ['Ben', 'failed', /^failed, and all of it undone, after /, 'nothing stands'],
  ['Chiyo', 'cancelled', /^cancelled, and all of it undone, after /, 'nothing stands'],
  ['Dara', 'in_review', /^waits for a person, after /, '3 of 3 stand'],
])('the trip of %s ends as %s, and is told so', async (trip, status, head, record) => {
  const told = toldOf(trip);
  expect(told).toMatch(head);
  expect(told).toContain(`The providers' own record: ${record}`);
  expect(told).toMatch(/The card is charged 2,400\.00 INR \(ch_/);
  expect(told).toMatch(/In the Temporal UI: http:.*\/bk_[a-z2-7]{26}$/m);
  expect(await booking(idIn(told))).toMatchObject({ status });
});

test('a customer who cancels while the hotel takes its time is told to have done so', () => {
  expect(toldOf('Chiyo')).toMatch(
    /The hotel is asked for a room[^]*The customer cancelled[^]*A room is reserved[^]*given back/,
  );
});

test('the line to copy decides the case, and the trip is confirmed', async () => {
  const told = toldOf('Dara');
  const [, first, second] = / {3}Say: {2}(.*)\\\n(.*)/.exec(told) ?? [];
  expect(first).toContain('npx recourse cases resolve case_');
  // npx inside of npx may look for the package elsewhere than in this clone.
  const built = first?.replace('npx recourse', `'${process.execPath}' dist/src/cli.js`);
  const { stdout } = await promisify(execFile)('sh', ['-c', `${built}${second} --yes`], {
    cwd: CHECKOUT,
  });
  expect(stdout).toMatch(/^case_[a-z2-7]{26} is resolved: happened$/m);
  const isConfirmed = async () => (await booking(idIn(told))).status === 'confirmed';
  expect(await pollUntil(isConfirmed, { limitMs: 60_000, everyMs: 250 })).toBe(true);
});

test('it ends in order, and on the kept data a second demo books new trips', async () => {
  const first = idIn(toldOf('Ada'));
  start.signal('SIGTERM');
  expect(await start.exit).toMatchObject({ code: 0 });
  start = await startCli(folder, port, ['--demo']);
  await untilDemoIsOver(start);
  expect(idIn(toldOf('Ada'))).not.toBe(first);
  expect(await booking(first)).toMatchObject({ status: 'confirmed' });
}, 300_000);

test('Ctrl-C during the demo stops all of it in order', async () => {
  await start.stop();
  start = await startCli(folder, port, ['--demo']);
  const isBooking = () => start.output().includes('The demo books 4 trips');
  expect(await pollUntil(isBooking, { limitMs: 30_000 })).toBe(true);
  const parts = [...partsOf(folder).values()];
  start.signal('SIGINT');
  expect(await start.exit).toMatchObject({ code: 0 });
  expect(start.output()).not.toMatch(/^recourse: /m);
  expect(start.output()).not.toContain('The demo is over');
  expect(start.output()).toContain('The demo was broken off. Its trips go on at the next start');
  expect(await remains(parts)).toEqual([]);
}, 300_000);

test('a provider that is named may be a real one: nothing is started, and nothing booked', async () => {
  const env = { PAYMENTS_URL: 'https://payments.example.com' };
  const refused = await spawnStart(join(ownFolder('refused'), 'data'), port, ['--demo'], env);
  expect(await refused.exit).toMatchObject({ code: 1 });
  expect(refused.output()).toMatch(/^recourse: --demo books nothing while PAYMENTS_URL is set: /);
});
