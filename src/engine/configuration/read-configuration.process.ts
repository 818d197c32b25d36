import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ConfigurationInvalid } from './configuration-invalid.js';
import { checkConfig, type RecourseConfig } from './define-config.js';

/** Where a configuration is, before anything of it was read. */
export interface ConfigurationPlace {
  /** The path of the file. */
  readonly file: string;
  /** Its folder: what a local start keeps its data for, and what paths in it are seen from. */
  readonly folder: string;
  /** True for the example that comes with the engine, where no team has one of its own. */
  readonly isBuiltIn: boolean;
}

/** Where to look for it. */
export interface ConfigurationSearch {
  /** Where the process was started. */
  readonly cwd: string;
  /** What RECOURSE_CONFIG names, as seen from there; null: nothing. */
  readonly named: string | null;
  /** The address of the built-in one. */
  readonly builtIn: URL;
}

const NAMES = ['recourse.config.js', 'recourse.config.mjs'] as const;

/**
 * Finds the configuration of whoever starts a process: the file that is named, else the one in the
 * folder where it is started, else the built-in example. Reads nothing of it.
 *
 * @throws ConfigurationInvalid when the named one is not there, or there are two.
 */
export function findConfiguration(search: ConfigurationSearch): ConfigurationPlace {
  const { cwd, named, builtIn } = search;
  if (named !== null) {
    const file = resolve(cwd, named);
    if (existsSync(file)) return placeOf(file, false);
    throw new ConfigurationInvalid(`RECOURSE_CONFIG: there is no file ${file}`);
  }
  const found = NAMES.map((name) => resolve(cwd, name)).filter((file) => existsSync(file));
  const [file, other] = found;
  if (other !== undefined) {
    throw new ConfigurationInvalid(`${cwd} has ${NAMES.join(' and ')}: keep one of them`);
  }
  return file === undefined ? placeOf(fileURLToPath(builtIn), true) : placeOf(file, false);
}

function placeOf(file: string, isBuiltIn: boolean): ConfigurationPlace {
  return { file, folder: dirname(file), isBuiltIn };
}

/**
 * Reads the configuration in a file: its default export, checked. Acts and modules are not made.
 *
 * @throws ConfigurationInvalid, in one line that begins with the path of the file.
 */
export async function readConfiguration(file: string): Promise<RecourseConfig> {
  const module: unknown = await import(pathToFileURL(file).href).catch(async (error: unknown) => {
    const isSaid = error instanceof ConfigurationInvalid;
    const fault = isSaid ? `: ${error.message}` : ` cannot be read: ${await sayFault(error, file)}`;
    throw new ConfigurationInvalid(`${file}${fault}`, { cause: error });
  });
  const { default: config } = module as { readonly default?: unknown };
  try {
    checkConfig(config);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigurationInvalid)) throw error;
    throw new ConfigurationInvalid(`${file}: ${error.message}`);
  }
}

const PLACE_IN_CODE = /^ +at .*?((?:file:\/\/)?\/[^\s()]+:\d+:\d+)\)?$/m;

/** What was thrown, and the first place of it in code that is a file, so that it can be found. */
async function sayFault(error: unknown, file: string): Promise<string> {
  if (!(error instanceof Error)) return String(error);
  const message = error.message.split('\n')[0] ?? '';
  const place =
    error instanceof SyntaxError
      ? await placeOfSyntax(file)
      : PLACE_IN_CODE.exec(error.stack ?? '')?.[1];
  return place === undefined ? message : `${message} (${place})`;
}

/** Node tells the line of a syntax error only where it prints it; of another file: nothing. */
async function placeOfSyntax(file: string): Promise<string | undefined> {
  const told = await promisify(execFile)(process.execPath, ['--check', file]).then(
    () => '',
    (error: unknown) => (error as { readonly stderr?: string }).stderr ?? '',
  );
  return /^(?:file:\/\/)?(\/.+:\d+)$/m.exec(told)?.[1];
}
