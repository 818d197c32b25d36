import type { ApiModule } from '../engine.module.js';
import type { Answer } from '../providers/answer.js';
import type { AnyAct } from '../saga/act.js';
import type { SagaDefinition } from '../saga/definition.js';
import { nearestWord } from '../saga/nearest-word.js';
import type { ProviderSettings } from '../sagas.js';
import { ConfigurationInvalid } from './configuration-invalid.js';

/** What a process has, to make acts with. */
export interface Surroundings {
  /** The environment, with every secret that a `<NAME>_FILE` of ours names put in its place. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Counts what a request to a provider came to: hand it to `createProviderClient`. */
  readonly onAnswer: (provider: string, answer: Answer) => void;
  /** Says something in the log of the process that a person should know; `text` is a constant. */
  readonly warn: (text: string, about?: { readonly provider?: string }) => void;
}

/** Names, and the act, undo or find that each is. An interface of a team fits too. */
type ActsOf<Acts> = { readonly [Name in keyof Acts]: AnyAct };

/** What a team has: the default export of its `recourse.config.js`. */
export interface RecourseConfig<Acts = Readonly<Record<string, AnyAct>>> {
  /** Every version of every saga that has live runs. */
  readonly sagas: readonly SagaDefinition[];
  /** What is stated about each provider, by the name that steps give as `at`. */
  readonly providers: Readonly<Record<string, ProviderSettings>>;
  /**
   * Every act, undo and find by its name. A function is called once by a worker and once by an API;
   * what it throws ends them with its message.
   */
  readonly acts: Acts | ((surroundings: Surroundings) => Acts);
  /** Nest modules with routes of the team's own. A function is called by the API alone. */
  readonly modules?:
    readonly ApiModule[] | (() => readonly ApiModule[] | Promise<readonly ApiModule[]>);
  /**
   * Where `recourse bundle` puts the bundle of the workflows and workers look for it, as seen from
   * the folder of this file. Default `workflow-bundle.js`.
   */
  readonly bundle?: string;
}

/** Every option, and whether a configuration has to have it. */
const OPTIONS: Readonly<Record<keyof RecourseConfig, 'needed' | 'optional'>> = {
  sagas: 'needed',
  providers: 'needed',
  acts: 'needed',
  modules: 'optional',
  bundle: 'optional',
};

/**
 * Checks a configuration and gives it back, frozen. Pure: acts and modules are not made. Whether
 * sagas, acts and providers fit together is checked by each process when it starts.
 *
 * @throws ConfigurationInvalid, which says every option that is unknown, missing or wrong, by name.
 */
export function defineConfig<const Acts extends ActsOf<Acts>>(
  config: RecourseConfig<Acts>,
): RecourseConfig<Acts> {
  checkConfig(config);
  return Object.freeze({ ...config });
}

/** The same for a value of which nothing is known: what a file happened to export. */
export function checkConfig(value: unknown): asserts value is RecourseConfig {
  if (!isObject(value)) {
    throw new ConfigurationInvalid(
      'write `export default defineConfig({ sagas, providers, acts })`, with defineConfig of ' +
        'recourse/config',
    );
  }
  const problems = [...unknownOptions(value), ...missingOptions(value), ...wrongOptions(value)];
  if (problems.length > 0) throw new ConfigurationInvalid(problems.join('; '));
}

type Given = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unknownOptions(config: Given): readonly string[] {
  const known = Object.keys(OPTIONS);
  return Object.keys(config)
    .filter((name) => !known.includes(name))
    .map((name) => `unknown option "${name}", ${suggestion(name, known)}`);
}

function missingOptions(config: Given): readonly string[] {
  return Object.entries(OPTIONS)
    .filter(([name, need]) => need === 'needed' && config[name] === undefined)
    .map(([name]) => `"${name}" is missing`);
}

function wrongOptions({ sagas, providers, acts, modules, bundle }: Given): readonly string[] {
  return [
    ...(sagas === undefined ? [] : wrongSagas(sagas)),
    ...(providers === undefined ? [] : wrongProviders(providers)),
    ...(acts === undefined || isObject(acts) || typeof acts === 'function'
      ? []
      : ['"acts": an object, or a function that answers one, expected']),
    ...(modules === undefined || Array.isArray(modules) || typeof modules === 'function'
      ? []
      : ['"modules": a list of Nest modules, or a function that answers one, expected']),
    ...(bundle === undefined || (typeof bundle === 'string' && bundle !== '')
      ? []
      : ['"bundle": the path of a file expected']),
  ];
}

function wrongSagas(sagas: unknown): readonly string[] {
  if (!Array.isArray(sagas)) return ['"sagas": a list of what defineSaga answers expected'];
  return sagas.flatMap((saga: unknown, index) => {
    const isSaga = isObject(saga) && typeof saga.name === 'string' && Array.isArray(saga.steps);
    return isSaga ? [] : [`"sagas"[${index}]: what defineSaga answers expected`];
  });
}

function wrongProviders(providers: unknown): readonly string[] {
  if (!isObject(providers)) return ['"providers": an object, by the name of each, expected'];
  return Object.entries(providers).flatMap(([name, stated]) => {
    const where = `"providers"."${name}"`;
    if (!isObject(stated)) return [`${where}: { keyWindowMs, settlesMs? } expected`];
    return [
      ...unknownOf(where, stated),
      ...(stated.keyWindowMs === null || isMs(stated.keyWindowMs)
        ? []
        : [`${where}: "keyWindowMs": whole milliseconds expected, or null: it honours no key`]),
      ...(stated.settlesMs === undefined || isMs(stated.settlesMs)
        ? []
        : [`${where}: "settlesMs": whole milliseconds expected`]),
    ];
  });
}

function unknownOf(where: string, stated: Given): readonly string[] {
  const known = ['settlesMs', 'keyWindowMs'];
  return Object.keys(stated)
    .filter((name) => !known.includes(name))
    .map((name) => `${where}: unknown option "${name}", ${suggestion(name, known)}`);
}

function suggestion(name: string, known: readonly string[]): string {
  const near = nearestWord(name, known);
  return near === null ? `there is ${known.join(', ')}` : `did you mean "${near}"?`;
}

function isMs(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
