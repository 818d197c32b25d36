import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runBench, type Measurements } from './bench.process.js';
import { measureClaims } from './claims/claims.process.js';
import { measureExplorer } from './explorer/explore.process.js';
import { measureFrontDoor } from './front-door/front-door.process.js';
import { openHistories } from './footprint/history.client.js';
import { openLook, type DatabaseLook } from './footprint/postgres.store.js';
import { openHouse, PROFILED } from './house/house.process.js';
import { watchEnds } from './measure/ends.client.js';
import { readOptions, USAGE, WrongUsage, type BenchOptions } from './options.js';
import { openProfiler } from './profile/profiler.process.js';
import { toldProfile, toldStatements } from './profile/told-profile.js';
import { nameMachine } from './result/machine.process.js';
import { pageWith } from './result/page.js';
import { jsonOf, type Alone, type Results } from './result/results.js';
import { claimsTable, explorerTable, frontDoorTable, tablesOf } from './result/tables.js';

// `npm run bench`: what the engine costs beside a saga written by hand, measured on this machine.

const built = resolve(import.meta.dirname, '..');
const checkout = resolve(built, '..');
const STATEMENTS = 20;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(options: BenchOptions): Promise<void> {
  if (process.platform !== 'linux') throw new WrongUsage('it needs Linux, where /proc tells times');
  const alone = await measureAlone(options);
  if (options.only.length > 0) await measureTrips(options, alone);
}

/** One after another, so that nothing works beside it. */
async function measureAlone(options: BenchOptions): Promise<Alone> {
  const { rounds, seconds } = options;
  const wishes = { built, checkout, env: process.env, rounds, seconds, say };
  const explorer = options.explorer && (await measureExplorer(built, options.explorer, say));
  if (explorer !== null) say(`\n${explorerTable(explorer)}\n`);
  const claims = options.claims && (await measureClaims({ ...wishes, ...options.claims }));
  if (claims !== null) say(`\n${claimsTable(claims)}\n`);
  const door = options.door && (await measureFrontDoor({ ...wishes, ...options.door }));
  if (door !== null) say(`\n${frontDoorTable(door)}\n`);
  return { explorer, claims, front_door: door };
}

/** Trips need all the servers, which work only while nothing else is measured. */
async function measureTrips(options: BenchOptions, alone: Alone): Promise<void> {
  const house = await openHouse({ built, checkout, env: process.env, profile: options.profile });
  try {
    const profiled = () => PROFILED.map((name) => house.part(name));
    const profiler = options.profile ? openProfiler(house.profiles, profiled) : null;
    const [ends, look, histories] = await Promise.all([
      watchEnds(house.databaseUrl),
      openLook(house.databaseUrl),
      openHistories(house.temporal),
    ]);
    const tools = { house, ends, look, histories, options, profiler, say };
    const measurements = await Promise.race([runBench(tools), house.failed]);
    const servers = { postgres: await look.version(), temporal: await histories.serverVersion() };
    const results: Results = {
      made_on: new Date().toISOString().slice(0, 10),
      machine: nameMachine(checkout, servers),
      ...measurements.results,
      ...alone,
    };
    say(`\n${tablesOf(results)}`);
    if (options.profile) await tellProfile(measurements, look);
    if (options.whole) publish(results);
    await Promise.all([ends.close(), look.close(), histories.close()]);
  } finally {
    await house.close();
  }
}

async function tellProfile({ profiles, tripsOf }: Measurements, look: DatabaseLook): Promise<void> {
  for (const name of PROFILED) {
    const times = profiles.get(name);
    const trips = tripsOf(name === 'worker by hand' ? 'b' : 'a');
    if (times !== undefined && trips > 0) say(`\n${toldProfile(name, times, trips)}`);
  }
  const trips = tripsOf('a');
  if (trips > 0) say(`\n${toldStatements(await look.statements(STATEMENTS), trips)}`);
}

function publish(results: Results): void {
  const page = join(checkout, 'docs/performance.md');
  writeFileSync(join(checkout, 'bench/results.json'), jsonOf(results));
  writeFileSync(page, pageWith(readFileSync(page, 'utf8'), tablesOf(results)));
  say('\nbench/results.json and docs/performance.md are written.');
}

try {
  await main(readOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof WrongUsage)) throw error;
  process.stderr.write(`bench: ${error.message}\n\n${USAGE}\n`);
  process.exitCode = 2;
}
