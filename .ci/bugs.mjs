// `npm run bugs`: the proof that the tests are alive. Each seeded bug of .ci/seeded-bugs is put
// into a copy of the sources, and at least one test has to fail by it. Two at a time, but for those
// that need real servers and time. `-- --only <name>` tries one, or one part, `-- --pure` those
// that need no server, `-- --check` only looks whether each still has its place in the sources.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { faultsOf } from './seeded-bugs/apply-bug.mjs';
import { parts } from './seeded-bugs/table.mjs';
import { projectOf, tryBug } from './seeded-bugs/try-bug.mjs';

const AT_A_TIME = 2;

const root = fileURLToPath(new URL('../', import.meta.url));
const print = (line) => process.stdout.write(`${line}\n`);
const { values: asked } = parseArgs({
  options: { only: { type: 'string' }, pure: { type: 'boolean' }, check: { type: 'boolean' } },
});
const all = parts.flatMap(({ part, bugs }) => bugs.map((bug) => ({ part, ...bug })));
const bugs = all
  .filter(({ name, part }) => [undefined, name, part].includes(asked.only))
  .filter((bug) => !asked.pure || projectOf(bug) === 'pure');

/** Tries one bug, says at once what came of it, and answers its line of the table. */
async function tell(bug, folder, place) {
  const startedAt = performance.now();
  const result = await tryBug(root, join(folder, bug.name), bug).catch((error) => ({ error }));
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const row = { bug, seconds, ...result, ...judge(bug, result) };
  print(`${row.held ? 'caught    ' : 'NOT CAUGHT'}  ${place} ${bug.name} (${seconds} s)`);
  if (!row.held) print(`            ${row.why}`);
  return row;
}

/** A bug is caught when the tests named for it see it, and the explorer where it should. */
function judge({ tests, explorer }, { error, by, seen }) {
  if (error !== undefined) return { held: false, why: error.message };
  if (tests.length > 0 && by === null) return { held: false, why: `${tests.join(', ')}: green` };
  if (explorer === true && seen === null) return { held: false, why: 'the explorer sees nothing' };
  if (explorer === false && seen !== null) return { held: false, why: 'the explorer sees it now' };
  return { held: true };
}

/** With the schedule, as test/engine/testing/failed-once.ts keeps it. */
function explorerWords({ seen, bug }) {
  if (seen === undefined) return '';
  if (seen === null) return `no: ${bug.unseen}`;
  const { by, faults, saga, broken, schedule } = seen;
  return `${by}, faults: ${faults}; ${broken} (${saga}: ${JSON.stringify(schedule)})`;
}

function table(rows) {
  const head = ['bug', 'what is wrong', 'caught by', 'the explorer alone', 's'];
  return [
    head,
    head.map(() => '---'),
    ...rows.map((row) => [
      `${row.bug.part}: ${row.bug.name}`,
      row.bug.is,
      row.held ? (row.by ?? 'the explorer') : 'NOT CAUGHT',
      explorerWords(row),
      String(row.seconds),
    ]),
  ].map((cells) => `| ${cells.join(' | ')} |`);
}

async function tryAll() {
  const folder = mkdtempSync(join(tmpdir(), 'recourse-bugs-'));
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 })) {
    process.once(signal, () => {
      rmSync(folder, { recursive: true, force: true });
      process.exit(code);
    });
  }
  const rows = [];
  const tryInTurn = async (waiting) => {
    for (let bug = waiting.shift(); bug; bug = waiting.shift()) {
      const place = `${bugs.indexOf(bug) + 1}/${bugs.length}`;
      rows.push(await tell(bug, folder, place));
    }
  };
  const isTimed = (bug) => projectOf(bug) === 'whole';
  const quick = bugs.filter((bug) => !isTimed(bug));
  await Promise.all(Array.from({ length: AT_A_TIME }, () => tryInTurn(quick)));
  await tryInTurn(bugs.filter(isTimed));
  rmSync(folder, { recursive: true, force: true });
  return rows.toSorted((one, other) => bugs.indexOf(one.bug) - bugs.indexOf(other.bug));
}

const faults = faultsOf(root, all);
if (faults.length > 0 || bugs.length === 0) {
  for (const fault of faults) print(fault);
  print(faults.length > 0 ? 'a seeded bug has lost its place' : `no bug is named ${asked.only}`);
  process.exitCode = 1;
} else if (asked.check) {
  print(`${all.length} bugs, each has its place`);
} else {
  const rows = await tryAll();
  const caught = rows.filter(({ held }) => held).length;
  print(`\n${table(rows).join('\n')}\n`);
  print(`${rows.length} bugs, ${caught} caught, ${rows.length - caught} not caught`);
  process.exitCode = caught === rows.length ? 0 : 1;
}
