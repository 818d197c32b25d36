import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../src/local/free-port.client.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { ownFolder } from '../support/owned-process.js';
import { partsOf, remains, spawnStart } from './start-cli.js';

// Who stops a start in its middle must not wait for what the start was waiting for: a minute for
// Temporal, two for Postgres.

const STOPS_WITHIN_MS = 30_000;

test.each(['postgres', 'temporal'])(
  'a first start that is stopped once %s is launched ends, and leaves no process',
  async (name) => {
    const folder = join(ownFolder(`stop-${name}`), 'data');
    const start = await spawnStart(folder, await freePort());
    const launched = () => existsSync(join(folder, 'parts.json')) && partsOf(folder).get(name);
    expect(await pollUntil(launched, { limitMs: 60_000, everyMs: 10 })).toBeDefined();
    const parts = [...partsOf(folder).values()];
    const askedAt = performance.now();
    start.signal('SIGINT');
    expect(await start.exit).toMatchObject({ code: 0 });
    expect(performance.now() - askedAt).toBeLessThan(STOPS_WITHIN_MS);
    expect(start.output()).toContain('Recourse has stopped; the data are kept.');
    expect(await remains(parts)).toEqual([]);
  },
);
