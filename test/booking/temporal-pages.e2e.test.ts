import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findChromium, NO_CHROMIUM, openBrowser } from '../support/browser.js';
import { Visitor } from '../support/customer.js';
import { startHouse, type House } from '../support/house.js';
import type { FaultWish } from '../support/sandbox.js';
import { startOwnTemporal, type OwnTemporal } from '../support/temporal.js';
import { effectsOf } from '../support/trip-effects.js';

// What an engineer can press in Temporal's own pages, in a real browser: none of it forgets a run
// or does anything twice. The pages offer no delete; the command line does (ended-from-outside).

const BOOKED = [
  'charge charge',
  'flight hold',
  'hotel reserve',
  'ticket ticket',
  'receipt message',
];
const BUSY_SEAT: FaultWish = {
  ...{ provider: 'flights', operation: 'hold' },
  do: { status: { code: 429, retry_after: 300 } },
};
/** The pages are megabytes of script, and two cores may be busy. */
const PATIENCE_MS = 60_000;
const LIMIT = { timeout: PATIENCE_MS };

let temporal: OwnTemporal;
let house: House;
let visitor: Visitor;
let browser: Browser | undefined;

beforeAll(async () => {
  temporal = await startOwnTemporal({ pages: true });
  house = await startHouse({ temporalAddress: temporal.address });
  visitor = new Visitor(house);
  if (findChromium() !== null) browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await house.close();
  await temporal.stop();
});
beforeEach(({ skip }) => skip(findChromium() === null, NO_CHROMIUM));

function addressOf(id: string): string {
  return `${temporal.pages}/namespaces/${house.temporal.namespace}/workflows/${id}`;
}

/** The page of a run, ready to be pressed. */
async function open(id: string): Promise<Page> {
  if (browser === undefined) throw new Error(NO_CHROMIUM);
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(addressOf(id));
  await page.waitForURL('**/timeline');
  return page;
}

/** Presses an action of the page's menu, and answers what the page asks then. */
async function press(page: Page, action: string, answer: (dialog: Locator) => Promise<void>) {
  await page.reload();
  await page.getByRole('button', { name: 'More Actions' }).last().click();
  await page.getByTestId(`${action}-button`).last().click();
  const dialog = page.getByTestId(`${action}-confirmation-modal`).last();
  await answer(dialog);
  await dialog.getByTestId('confirm-modal-button').click();
  await dialog.waitFor({ state: 'hidden' });
}

/** Books a trip whose seat is not to be had for minutes, and waits until it waits. */
async function waitingTrip(): Promise<string> {
  await house.sandbox.fault(BUSY_SEAT);
  const { id } = await visitor.book();
  const steps = async () =>
    (await visitor.read(id)).steps.slice(0, 3).map(({ name, state }) => `${name} ${state}`);
  await expect.poll(steps, LIMIT).toEqual(['charge done', 'flight waiting', 'hotel done']);
  return id;
}

/** Another execution than these is running. */
async function restarted(id: string, ...before: readonly string[]): Promise<string> {
  const newest = async () => {
    const { runId, status } = await house.temporal.client.workflow.getHandle(id).describe();
    return before.includes(runId) ? 'the same' : `${status.name} ${runId}`;
  };
  await expect.poll(newest, LIMIT).toMatch(/^RUNNING /);
  return (await newest()).replace('RUNNING ', '');
}

test(
  'terminate, reset and an update go on from the record, and nothing is done twice',
  { timeout: 5 * PATIENCE_MS },
  async () => {
    const id = await waitingTrip();
    const first = await restarted(id);
    const page = await open(id);
    await press(page, 'terminate', async (dialog) => {
      await dialog.getByTestId('workflow-termination-reason').fill('pressed by mistake');
    });
    const second = await restarted(id, first);
    await page.goto(addressOf(id));
    await press(page, 'reset', async (dialog) => {
      await dialog.getByTestId('workflow-reset-event-id-select-button').click();
      await page.getByRole('option').first().click();
      await dialog.getByTestId('reset-reason').fill('pressed by mistake');
    });
    await restarted(id, first, second);
    await page.goto(addressOf(id));
    await press(page, 'update', async (dialog) => {
      await dialog.getByTestId('update-select-button').click();
      await page.getByRole('option', { name: 'retry-now' }).click();
    });
    await visitor.until(id, ['confirmed']);
    expect(await effectsOf(house.sandbox, id)).toEqual(BOOKED);
  },
);

test('a cancellation that is requested there is a cancel', async () => {
  const id = await waitingTrip();
  const page = await open(id);
  await page.getByRole('button', { name: 'Request Cancellation' }).last().click();
  const dialog = page.getByTestId('cancel-confirmation-modal').last();
  await dialog.getByTestId('confirm-modal-button').click();
  await visitor.until(id, ['cancelled']);
  expect(await effectsOf(house.sandbox, id)).toEqual([
    ...['charge charge', 'hotel reserve'],
    ...['hotel:undo cancel', 'charge:undo refund'],
  ]);
});
