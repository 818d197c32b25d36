import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

/** Why a test that needs a browser is skipped: hand it to `context.skip`. */
export const NO_CHROMIUM = 'there is no chromium on the PATH: apt-get install chromium';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The first chromium on the PATH; null when there is none. */
export function findChromium(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return (
    folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isProgram) ?? null
  );
}

/**
 * Opens a browser that can reach this machine and nothing else: every other name resolves to
 * nowhere, and what a browser does by itself in the background is off. It ends when it is closed,
 * and with the process that opened it, however that ends. Throws when there is no chromium: look
 * with `findChromium` first.
 */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error(NO_CHROMIUM);
  return chromium.launch({
    executablePath,
    // Chromium refuses its own sandbox to root, as whom most containers run.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--disable-gpu',
    ],
  });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
