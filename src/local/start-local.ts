import { bringPostgres, bringSandbox, bringTemporal, type BringUp } from './bring-up.process.js';
import { demoRefusal } from './demo/demo-refusal.js';
import type { DemoStory } from './demo/demo-story.js';
import { playDemo } from './demo/play-demo.process.js';
import { takeGround, type Ground, type GroundOptions } from './local-ground.process.js';
import { HouseClosed, openHouse, type House } from './local-house.process.js';
import {
  readDemoKeys,
  secretsFile,
  writeDemoKeys,
  type DemoKeys,
} from './local-secrets.process.js';
import { ownPartPlans, partEnvironment, type PartFiles } from './part-plans.js';
import { readyCard, type ReadyFacts } from './ready-card.js';
import { startWatchdog } from './start-watchdog.process.js';
import { keepStartedParts } from './started-parts.process.js';
import { PartGaveUp } from './supervise-part.process.js';
import { commandLine, ownUrl } from './way-in.js';

/** How the one who started it asks for the end. */
export interface StopRequests {
  /** Aborted by the first request: stop all, in order. */
  readonly orderly: AbortSignal;
  /** Aborted by the second: end all at once. */
  readonly atOnce: AbortSignal;
}

export interface LocalStart extends GroundOptions {
  readonly verbose: boolean;
  /** The program that runs the parts. */
  readonly node: string;
  readonly files: PartFiles;
  /** The built `watchdog.process.js`. */
  readonly watchdogScript: string;
  readonly stop: StopRequests;
  /** The path of a team's configuration; `undefined`: the example runs. */
  readonly configuration: string | undefined;
  /** What `--demo` plays once all is ready; nothing without it. */
  readonly stories: readonly DemoStory[];
  migrate(databaseUrl: string): Promise<readonly string[]>;
  ensureDemoKeys(databaseUrl: string, existing?: DemoKeys): Promise<DemoKeys>;
}

/**
 * Runs everything on one machine until it is asked to stop: Postgres and Temporal (unless real ones
 * are named), the sandbox, API, worker and relay, each started again when it dies. Prints the ready
 * card when all are ready, and plays the demo if there is one. Answers the exit code, 0 after an
 * orderly stop and 1 when the start failed, a part died too often or the demo did not go as it
 * should, and leaves no process behind.
 *
 * After a `kill -9` a watchdog process ends the parts, and the next start of the same data folder
 * ends what the watchdog could not. The data survive all of it.
 */
export async function startLocal(options: LocalStart): Promise<0 | 1> {
  const { terminal } = options;
  const refusal = options.stories.length === 0 ? undefined : demoRefusal(options.env);
  if (refusal !== undefined) {
    terminal.line(`recourse: ${refusal}`);
    return 1;
  }
  terminal.line('Recourse starts:');
  let ground: Ground;
  try {
    ground = await takeGround(options);
  } catch (error) {
    terminal.line(`recourse: ${messageOf(error)}`);
    return 1;
  }
  const watchdog = startWatchdog(options.watchdogScript);
  const { folder } = ground;
  const started = keepStartedParts(folder.path);
  const house = openHouse({ folder, started, watchdog, terminal, verbose: options.verbose });
  try {
    return await live(options, ground, house);
  } finally {
    await house.stopAll();
    await watchdog.close();
    ground.release();
    terminal.line('Recourse has stopped; the data are kept.');
  }
}

async function live(options: LocalStart, ground: Ground, house: House): Promise<0 | 1> {
  const { stop, terminal } = options;
  const asked = whenAborted(stop.orderly);
  void whenAborted(stop.atOnce).then(() => {
    terminal.line('Ending all of it at once.');
    return house.killAll();
  });
  const { env } = options;
  const ended = new AbortController();
  const signal = AbortSignal.any([stop.orderly, ended.signal]);
  let code: 0 | 1 = 0;
  const bringing = bringAll({ house, ground, env, terminal, signal }, options).then(
    async (facts) => {
      terminal.line(readyCard(facts));
      if (!(await showDemo(options, facts, ground, signal))) code = 1;
    },
  );
  try {
    await Promise.race([house.failed, asked, bringing]);
    await Promise.race([house.failed, asked]);
    terminal.line('Stopping all parts, in order …');
  } catch (error) {
    code = 1;
    for (const line of failureLines(error, ground)) terminal.line(line);
  }
  // What is still being brought up is broken off, and turned away by the closed house.
  ended.abort();
  await house.stopAll();
  await bringing.catch(() => undefined);
  return code;
}

/** Plays the demo, if there is one, and answers whether it went as it should. */
function showDemo(
  { stories, terminal }: LocalStart,
  facts: ReadyFacts,
  { host, port }: Ground,
  signal: AbortSignal,
): Promise<boolean> {
  const { sandboxUrl, cli, customerKey: customer, operatorKey: operator } = facts;
  if (stories.length === 0 || sandboxUrl === undefined) return Promise.resolve(true);
  const apiUrl = ownUrl(host, port);
  const place = { apiUrl, sandboxUrl, keys: { customer, operator }, signal };
  return playDemo({ stories, place, way: { cli, sandboxUrl }, terminal });
}

/** Starts the parts in the order in which they need each other, and answers what there is. */
async function bringAll(to: BringUp, options: LocalStart): Promise<ReadyFacts> {
  const { env, ground, house, terminal } = to;
  const [databaseUrl, temporal] = await Promise.all([
    terminal.stage('Postgres', () => bringPostgres(to)),
    terminal.stage('Temporal', () => bringTemporal(to)),
  ]);
  const keys = await terminal.stage('schema and demo keys', async () => {
    await options.migrate(databaseUrl);
    const made = await options.ensureDemoKeys(databaseUrl, readDemoKeys(ground.folder.path));
    return { ...made, file: writeDemoKeys(ground.folder.path, made) };
  });
  const { sandbox: file } = options.files;
  const sandbox =
    file === undefined
      ? undefined
      : await terminal.stage('sandbox', () => bringSandbox(to, options.node, file));
  const { host, port } = ground;
  const partEnv = partEnvironment(env, {
    ...{ host, port, databaseUrl, sandbox },
    temporalAddress: temporal.address,
    temporalUiUrl: temporal.uiUrl,
    encryptionKeys: env.RECOURSE_ENCRYPTION_KEYS || ground.secrets.encryptionKeys,
  });
  const plans = Object.values(ownPartPlans(options.node, options.files, partEnv));
  await Promise.all(plans.map((plan) => terminal.stage(plan.name, () => house.launch(plan))));
  return {
    apiUrl: ground.config.publicUrl ?? `http://${host}:${port}`,
    temporalUiUrl: temporal.uiUrl,
    temporalAddress: temporal.address,
    temporalCliFrom: temporal.cliFrom,
    namespace: ground.config.temporal.namespace,
    sandboxUrl: sandbox?.url,
    databaseUrl: withoutPassword(databaseUrl),
    databaseSecret: env.DATABASE_URL ? undefined : secretsFile(ground.folder.path),
    customerKey: keys.customer,
    operatorKey: keys.operator,
    keysFile: keys.file,
    dataFolder: ground.folder.path,
    logsFolder: ground.folder.logs,
    cli: commandLine(env, ownUrl(host, port)),
    configuration: options.configuration,
  };
}

function failureLines(error: unknown, ground: Ground): string[] {
  if (error instanceof HouseClosed) return [];
  if (!(error instanceof PartGaveUp)) return [`recourse: ${messageOf(error)}`];
  const { logs } = ground.folder;
  return [
    `recourse: ${error.message}. Its last ${error.lastLines.length} lines:`,
    ...error.lastLines.map((line) => `  ${line}`),
    `The whole log: ${logs}/${error.part}.log`,
  ];
}

function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
}

function withoutPassword(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.password = '';
  return url.href;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
