import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ask, startApi, type TestApi } from '../support/api.js';
import { findChromium, NO_CHROMIUM, openBrowser } from '../support/browser.js';
import { tripApi, tripSagas } from '../support/trip.js';

/** What a browser made of a page. */
interface Seen {
  readonly width: number;
  readonly ink: string;
  readonly size: string;
}

/** The page is a megabyte of script, and two cores may be busy. */
const PATIENCE_MS = 60_000;

let api: TestApi;
beforeAll(async () => {
  api = await startApi(tripApi, tripSagas());
});
afterAll(() => api.close());

const open = (path: string) => ask(api, path, { as: null });

describe('what the page at /docs loads', () => {
  const named = (html: string) => [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, at]) => at);

  test('is served by us, without a key, under the type that it has', async () => {
    const page = await open('/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const types = await Promise.all(
      named(page.text).map(async (path) => {
        const { status, headers } = await open(new URL(path ?? '', `${api.url}/docs`).pathname);
        return [path, status, headers.get('content-type'), headers.get('x-content-type-options')];
      }),
    );
    expect(types.map(([path, status, type]) => [path, status, type])).toEqual([
      ['docs/favicon-32x32.png', 200, 'image/png'],
      ['docs/swagger-ui.css', 200, 'text/css; charset=utf-8'],
      ['openapi.json', 200, 'application/json; charset=utf-8'],
      ['docs/swagger-ui-bundle.js', 200, expect.stringMatching(/^(text|application)\/javascript/)],
      ['docs/start.js', 200, 'text/javascript; charset=utf-8'],
    ]);
  });

  test('names no other place', async () => {
    const { text: css } = await open('/docs/swagger-ui.css');
    const urls = [...css.matchAll(/url\(\s*["']?([^"')]{0,12})/g)].map(([, url]) => url);
    expect(urls.filter((url) => !url?.startsWith('data:'))).toEqual([]);
    expect(css).not.toMatch(/@import/);
    expect((await open('/docs')).text).not.toMatch(/(src|href)="(https?:)?\/\//);
  });

  test('is not all that the package of Swagger UI has', async () => {
    for (const path of ['package.json', 'index.html', 'swagger-ui.js', '../package.json']) {
      const reply = await open(`/docs/${encodeURIComponent(path)}`);
      expect([path, reply.status]).not.toEqual([path, 200]);
    }
  });

  test('is new with every load as far as the Idempotency-Key goes', async () => {
    const keyIn = async () => /docs-[0-9a-f-]{36}/.exec((await open('/docs/start.js')).text)?.[0];
    const [one, other] = [await keyIn(), await keyIn()];
    expect(one).toBeDefined();
    expect(other).not.toBe(one);
  });
});

describe('in a browser with no network but this machine', () => {
  let browser: Browser | undefined;
  let context: BrowserContext;
  let page: Page;
  let wrong: string[];
  beforeAll(async () => {
    if (findChromium() === null) return;
    browser = await openBrowser();
    // One for all tests: what is kept is loaded once.
    context = await browser.newContext();
    context.setDefaultTimeout(PATIENCE_MS);
  });
  afterAll(() => browser?.close());

  beforeEach(async ({ skip }) => {
    if (browser === undefined) return skip(NO_CHROMIUM);
    wrong = [];
    page = await context.newPage();
    page.on('console', (said) => {
      if (['error', 'warning'].includes(said.type())) wrong.push(said.text());
    });
    page.on('pageerror', (error) => wrong.push(error.message));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(api.url) && !url.startsWith('data:')) wrong.push(`asked for ${url}`);
    });
    return () => page.close();
  });

  async function openDocs(): Promise<void> {
    await page.goto(`${api.url}/docs`);
    await page.locator('.opblock').first().waitFor();
  }

  const operation = (method: string, path: string) =>
    page.locator(`.opblock-${method}`).filter({ has: page.locator(`[data-path="${path}"]`) });

  async function giveKey(key: string): Promise<void> {
    await page.locator('button.authorize').first().click();
    await page.locator('.auth-container input').fill(key);
    await page.locator('.auth-btn-wrapper button.authorize').click();
    await page.locator('.auth-btn-wrapper button.btn-done').click();
  }

  async function execute(method: string, path: string): Promise<string> {
    const block = operation(method, path);
    await block.locator('.opblock-summary-control').click();
    await block.locator('button.execute').click();
    const status = block.locator('.live-responses-table .response-col_status').last();
    return (await status.textContent()) ?? '';
  }

  test('the page opens, shows every operation, and nothing goes wrong', async () => {
    const { paths } = (await open('/openapi.json')).body;
    const operations = Object.values(paths as object).flatMap((item) => Object.keys(item));
    await openDocs();
    await expect.poll(() => page.locator('.opblock').count()).toBe(operations.length);
    const block = operation('post', '/v1/bookings');
    await block.locator('.opblock-summary-control').click();
    await block.locator('.responses-table').first().waitFor();
    expect(wrong).toEqual([]);
  });

  test('an operation reaches the API, with the key that was typed in', async () => {
    await openDocs();
    await giveKey(api.keys.customer);
    expect(await execute('get', '/v1/bookings')).toContain('200');
    expect(wrong).toEqual([]);
  });

  test('the example of a booking can be sent as it stands, and sent twice is booked once', async () => {
    await openDocs();
    await giveKey(api.keys.customer);
    const before = (await ask(api, '/v1/bookings')).body.data.length;
    expect(await execute('post', '/v1/bookings')).toContain('202');
    await operation('post', '/v1/bookings').locator('button.execute').click();
    const live = operation('post', '/v1/bookings').locator('.live-responses-table');
    await live.getByText(/idempotent-replayed: ?true/).waitFor();
    expect((await ask(api, '/v1/bookings')).body.data).toHaveLength(before + 1);
    expect(wrong).toEqual([]);
  });

  test('a page about a problem is readable on a phone, by day and by night', async () => {
    await page.setViewportSize({ width: 360, height: 640 });
    const inks = new Set<string>();
    for (const path of ['/problems', '/problems/body-invalid', '/problems/reference-in-use']) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.goto(`${api.url}${path}`);
        const { width, ink, size } = await page.evaluate<Seen>(
          `({
            width: document.documentElement.scrollWidth,
            ink: getComputedStyle(document.body).color,
            size: getComputedStyle(document.body).fontSize,
          })`,
        );
        expect([path, width, size]).toEqual([path, 360, '16px']);
        inks.add(ink);
      }
    }
    expect(inks.size).toBe(2);
    await page.locator('nav a', { hasText: 'The API' }).click();
    await page.locator('.opblock').first().waitFor();
    expect(wrong).toEqual([]);
  });
});
