import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../src/local/free-port.client.js';
import { pollUntil } from '../../src/local/poll-until.process.js';
import { openBrowser } from '../support/browser.js';
import { ownFolder } from '../support/owned-process.js';
import { startCli, untilDemoIsOver, type LocalStartProcess } from './start-cli.js';

// No test of the suite: `npm run pictures` runs it when what the pictures show has changed.

const FOLDER = resolve(import.meta.dirname, '../../docs/pictures');
const VIEWPORT = { width: 1440, height: 900 };
/** Without the bars that are the same on every page. */
const FRAME = { x: 272, y: 60, width: 1152 };
const MOST_BYTES = 150_000;
const LIMIT = { limitMs: 60_000 };
/** A page that is complete still draws its timeline and fades things in. */
const STILL_MS = 1_500;

let start: LocalStartProcess;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  start = await startCli(join(ownFolder('pictures'), 'data'), await freePort(), ['--demo']);
  await untilDemoIsOver(start);
  browser = await openBrowser();
  const context = await browser.newContext({
    viewport: VIEWPORT,
    colorScheme: 'light',
    timezoneId: 'UTC',
  });
  page = await context.newPage();
  page.setDefaultTimeout(LIMIT.limitMs);
});
afterAll(async () => {
  await browser?.close();
  await start?.stop();
});

/** The page of a trip in the Temporal UI, as the demo has printed it. */
function linkOf(trip: string): string {
  const told = start.output().slice(start.output().indexOf(`── ${trip}'s trip`));
  const link = /In the Temporal UI: (\S+)/.exec(told)?.[1];
  if (link === undefined) throw new Error(`the demo tells no link for ${trip}`);
  return link;
}

/** Waits until a text is seen, in whatever frame of the page. */
async function expectSeen(text: string): Promise<void> {
  const isSeen = async () => {
    const counts = page.frames().map((frame) => frame.getByText(text).count());
    return (await Promise.all(counts.map((count) => count.catch(() => 0)))).some((n) => n > 0);
  };
  if (!(await pollUntil(isSeen, LIMIT))) throw new Error(`${page.url()} does not show: ${text}`);
}

async function expectPicture(name: string, height: number): Promise<void> {
  await page.mouse.move(0, 0);
  await page.waitForTimeout(STILL_MS);
  const path = join(FOLDER, `${name}.png`);
  await page.screenshot({ path, clip: { ...FRAME, height } });
  expect(statSync(path).size).toBeLessThan(MOST_BYTES);
}

test.each([
  ['completed', 'Ada', 'step 5 of 5: receipt', 780],
  ['undone', 'Ben', 'undo of step 1 of 5: charge', 820],
  ['stuck', 'Dara', 'hotel waits for a person', 760],
])('%s: the timeline of a run', async (name, trip, shows, height) => {
  await page.goto(linkOf(trip));
  await expectSeen(shows);
  await expectPicture(name, height);
});

test('stuck-details: what a stuck run says of itself', async () => {
  await page.goto(linkOf('Dara'));
  await page.waitForURL('**/timeline');
  await page.goto(page.url().replace(/timeline$/, 'user-metadata'));
  await expectSeen('npx recourse cases show');
  await expectPicture('stuck-details', 730);
});

test('waiting: the list of what waits for a person', async () => {
  const list = linkOf('Dara').replace(/workflows\/.*/, 'workflows');
  const query = encodeURIComponent('`SagaState`="needs_reconciliation"');
  await page.goto(`${list}?query=${query}`);
  await page.getByTestId('workflows-summary-table-configuration-button').click();
  for (const column of ['Run ID', 'Type', 'Start', 'End']) {
    await page.getByTestId(`orderable-list-item-${column}-remove-button`).click();
  }
  for (const column of ['SagaStep', 'SagaProblem', 'SagaStuckSince']) {
    await page.getByTestId(`orderable-list-item-${column}-add-button`).click();
  }
  await page.getByTestId('drawer-close-button').click();
  await expectSeen('unknown-outcome');
  await expectPicture('waiting', 270);
});
