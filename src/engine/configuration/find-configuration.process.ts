import { lstatSync, readlinkSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigurationInvalid } from './configuration-invalid.js';

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
/** What somebody may have written in their place. */
const UNREAD = ['ts', 'mts', 'cts', 'cjs', 'json'].map((ending) => `recourse.config.${ending}`);
const LOOKED_FOR =
  'what is looked for is a file recourse.config.js, an ES module; RECOURSE_CONFIG names another';

/**
 * Finds the configuration of whoever starts a process: the file that is named, else the one in the
 * folder where it is started, else the built-in example. Reads nothing of it.
 *
 * @throws ConfigurationInvalid when the named one is not there, there are two, or what is there
 * cannot be it: whoever has something of that name does not mean the example.
 */
export function findConfiguration({
  cwd,
  named,
  builtIn,
}: ConfigurationSearch): ConfigurationPlace {
  if (named !== null) {
    const file = resolve(cwd, named);
    const fault = faultOf(file);
    if (fault === null) return placeOf(file, false);
    if (fault === NOT_THERE) {
      throw new ConfigurationInvalid(`RECOURSE_CONFIG: there is no file ${file}`);
    }
    throw new ConfigurationInvalid(`${file}, which RECOURSE_CONFIG names, ${fault}`);
  }
  const thereOf = (names: readonly string[]): readonly string[] =>
    names.map((name) => resolve(cwd, name)).filter((file) => faultOf(file) !== NOT_THERE);
  const [file, other] = thereOf(NAMES);
  if (other !== undefined) {
    throw new ConfigurationInvalid(`${cwd} has ${NAMES.join(' and ')}: keep one of them`);
  }
  const [unread] = thereOf(UNREAD);
  const fault = file === undefined ? 'is not read' : faultOf(file);
  const found = file ?? unread;
  if (found === undefined) return placeOf(fileURLToPath(builtIn), true);
  if (fault === null) return placeOf(found, false);
  throw new ConfigurationInvalid(`${found} ${fault}; ${LOOKED_FOR}`);
}

function placeOf(file: string, isBuiltIn: boolean): ConfigurationPlace {
  return { file, folder: dirname(file), isBuiltIn };
}

const NOT_THERE = 'is not there';

/** Why something cannot be a configuration, as the end of a sentence; null when it can be. */
function faultOf(file: string): string | null {
  try {
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found === undefined) return NOT_THERE;
    const meant = statSync(file, { throwIfNoEntry: false });
    if (meant === undefined)
      return `is a symbolic link to ${readlinkSync(file)}, which is not there`;
    if (meant.isDirectory()) return 'is a folder';
    return meant.isFile() ? null : 'is no regular file';
  } catch (error) {
    return `cannot be looked at (${String((error as NodeJS.ErrnoException).code)})`;
  }
}
