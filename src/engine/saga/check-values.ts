import { SagaDefinitionError } from './errors.js';
import { nearestWord } from './nearest-word.js';

/** Run id, step and direction together stay far below the 255 characters of a key. */
const LONGEST_NAME = 40;

/** 24 days and 20 hours: beyond it a timer of Node fires at once. */
export const LONGEST_MS = 2 ** 31 - 1;

const NAME = /^[a-z][a-z0-9-]*$/;

/** What an author wrote, before anything is known of it. */
export type Written = Readonly<Record<string, unknown>>;

/** Where in a definition: `['book-trip', 'charge', 'undo']`. */
export type Path = readonly string[];

/** Throws `SagaDefinitionError`, which every check in this folder does when something is wrong. */
export function refuse(path: Path, problem: string): never {
  throw new SagaDefinitionError(path, problem);
}

/** An object with no option but the `known` ones; a misspelt one gets a suggestion. */
export function checkObject(
  path: Path,
  value: unknown,
  known: readonly string[],
): asserts value is Written {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse(path, `must be an object of options, not ${shown(value)}`);
  }
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) {
      refuse(path, `unknown option ${shown(key)}${suggestion(key, known)}`);
    }
  }
}

/** `meaning` tells an author who left it out what it is for. */
export function checkThere(path: Path, value: Written, key: string, meaning: string): void {
  if (value[key] === undefined) {
    refuse(path, `"${key}" is missing: ${meaning}`);
  }
}

export function checkName(path: Path, name: unknown): void {
  if (typeof name !== 'string' || !NAME.test(name) || name.length > LONGEST_NAME) {
    const rule = `starts with a letter and has only a-z, 0-9 and -, at most ${LONGEST_NAME}`;
    refuse(path, `a name ${rule} characters; not ${shown(name)}`);
  }
}

/** Absent is well; what is there must be a whole number from 1 to `most`, and is given back. */
export function checkNumber(
  path: Path,
  key: string,
  value: unknown,
  most: number,
): number | undefined {
  if (value === undefined) {
    return undefined;
  }
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1 || value > most) {
    const unit = key.endsWith('Ms') ? ' of milliseconds' : '';
    refuse(path, `${key} must be a whole number${unit} from 1 to ${most}, not ${shown(value)}`);
  }
  return value;
}

/** Absent is well; what is there must say something. */
export function checkText(path: Path, key: string, value: unknown): void {
  if (value !== undefined && (typeof value !== 'string' || value.trim() === '')) {
    refuse(path, `${key} must be a text that says something, not ${shown(value)}`);
  }
}

/** What other engines call the same thing, for those who come from there. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  compensate: 'undo',
  compensation: 'undo',
  rollback: 'undo',
  act: 'run',
  action: 'run',
  activity: 'run',
  invoke: 'run',
  provider: 'at',
  taskQueue: 'at',
  onUnknown: 'whenUnknown',
  maxAttempts: 'retry',
  retryPolicy: 'retry',
  startToCloseTimeout: 'timeoutMs',
};

/** The end of a sentence about a word that is not `known`: what was meant, or what there is. */
export function suggestion(written: string, known: readonly string[]): string {
  const other = Object.hasOwn(OTHER_WORDS, written) ? OTHER_WORDS[written] : undefined;
  const isHere = other !== undefined && known.includes(other);
  const word = isHere ? other : nearestWord(written, known);
  return word === null ? `; known here: ${known.join(', ')}` : `, did you mean "${word}"?`;
}

/** Anything at all, as short text for an error. */
export function shown(value: unknown): string {
  if (typeof value === 'string') {
    return `"${value}"`;
  }
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
