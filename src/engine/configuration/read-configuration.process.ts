import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { inspect, promisify } from 'node:util';
import { ConfigurationInvalid } from './configuration-invalid.js';
import { checkConfig, type RecourseConfig } from './define-config.js';
import { runThrough } from './run-through.process.js';

/**
 * Reads the configuration in a file: its default export, checked. Acts and modules are not made.
 * `limitMs`: how long its code may take, where something is left that could end it.
 *
 * @throws ConfigurationInvalid, in one line that begins with the path of the file.
 */
export async function readConfiguration(file: string, limitMs?: number): Promise<RecourseConfig> {
  try {
    const read = (): Promise<unknown> => import(pathToFileURL(file).href);
    const module = await runThrough(file, read, limitMs);
    const { default: config } = module as { readonly default?: unknown };
    checkConfig(config);
    return config;
  } catch (error) {
    const isSaid = error instanceof ConfigurationInvalid;
    const fault = isSaid ? `: ${error.message}` : ` cannot be read: ${await sayFault(error, file)}`;
    throw new ConfigurationInvalid(`${file}${fault}`, { cause: error });
  }
}

const PLACE_IN_CODE = /^ +at .*?((?:file:\/\/)?\/[^\s()]+:\d+:\d+)\)?$/m;

/** What was thrown, and the first place of it in code that is a file, so that it can be found. */
export async function sayFault(error: unknown, file: string): Promise<string> {
  if (typeof error === 'string') return error.split('\n')[0] ?? '';
  if (!(error instanceof Error)) return inspect(error).split('\n')[0] ?? '';
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
