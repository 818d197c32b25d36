import { execFile } from 'node:child_process';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ownFolder } from './owned-process.js';

const ROOT = resolve(import.meta.dirname, '../..');

/** The list of versions as it was before there was a second one. */
const VERSION_1_ALONE = `import { bookTripV1 } from './book-trip.v1.saga.js';
export const BOOK_TRIP = 'book-trip';
export const BOOK_TRIP_VERSIONS = [bookTripV1];
`;

/**
 * Makes a build of the product that knows version 1 of the trip alone, as it was released, out of
 * the last build (`npm run build` first), and answers its folder, which goes with the test run.
 * @throws when its workflows cannot be bundled.
 */
export async function version1Build(): Promise<string> {
  const folder = ownFolder('version-1');
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'dist/workflows/booking/book-trip.saga.js'), VERSION_1_ALONE);
  await promisify(execFile)(process.execPath, ['dist/src/cli.js', 'bundle'], { cwd: folder });
  return folder;
}
