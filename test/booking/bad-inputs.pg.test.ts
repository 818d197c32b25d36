import { afterAll, beforeAll, expect, test } from 'vitest';
import { PATIENCE } from '../../src/engine/http/front-door.provider.js';
import { append, stepEnded } from '../support/append.js';
import { ask, startApi } from '../support/api.js';
import { badInputsMarkdown, INPUTS } from '../support/bad-inputs-markdown.js';
import { trip, tripApi, tripSagas } from '../support/trip.js';
import { nameOf, statusOf, type World } from './bad-inputs/send.js';

// Every input of the list, over HTTP against a Postgres; docs/bad-inputs.md is the same table.

const sagas = tripSagas();
const SOON = { ...PATIENCE, headersMs: 1_500, requestMs: 2_500, checkEveryMs: 50 };
const TABLES = ['claims', 'claims_at_work', 'runs', 'outbox', 'journal', 'events', 'interventions'];

let world: World;
beforeAll(async () => {
  const api = await startApi(tripApi, sagas, { patience: SOON });
  const book = async (key: string, as = api.keys.customer) =>
    String((await ask(api, '/v1/bookings', { key, as, body: trip() })).body.id);
  const [booking, foreign] = [await book('a-booking'), await book('foreign', api.keys.stranger)];
  const ended = await book('ended');
  const declined = stepEnded('charge', { outcome: 'refused', code: 'card_declined' });
  await append(api.database, sagas, ended, ...declined, { kind: 'unwinding', because: 'refused' });
  await append(api.database, sagas, ended, { kind: 'finished', as: 'undone' });
  world = { api, booking, ended, foreign };
});
afterAll(() => world.api.close());

/** How many rows there are of all that a request could write. */
async function rowsWritten(): Promise<number> {
  const counts = TABLES.map((table) => `(select count(*) from ${table})`);
  const { rows } = await world.api.database.query(`select ${counts.join(' + ')} as count`);
  return Number(rows[0].count);
}

const sent = INPUTS.flatMap(({ inputs }) => inputs.flatMap((one) => ('tries' in one ? [one] : [])));

test.each(sent)('$no ($what) is answered as is told, and a refusal leaves nothing', async (one) => {
  for (const [send, expected] of one.tries) {
    const heard = await send(world);
    expect(heard.status, nameOf(expected)).toBe(statusOf(expected));
    if (typeof expected === 'number') continue;
    if (expected === 'replay') {
      expect(heard.replayed).toBe(true);
      continue;
    }
    expect(heard).toMatchObject({ code: expected, type: 'application/problem+json' });
    const before = await rowsWritten();
    await send(world);
    expect(await rowsWritten()).toBe(before);
  }
});

test('every number from 1 to 140 is there once', () => {
  const numbers = INPUTS.flatMap(({ inputs }) => inputs.map(({ no }) => no));
  expect(numbers).toEqual(Array.from({ length: 140 }, (_, at) => at + 1));
});

test('docs/bad-inputs.md is the table; after a change: vitest -u', async () => {
  await expect(badInputsMarkdown()).toMatchFileSnapshot('../../docs/bad-inputs.md');
});
