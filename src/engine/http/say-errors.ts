import { memberErrors, type MemberError, type SchemaIssue, type ZodIssue } from './member-error.js';

/** More than these are in `errors` only: a sentence has to be read. */
const SAID_MOST = 3;

/**
 * A sentence that says of each member what it must be. Where a schema has words of its own,
 * beginning with "must", they are said. `whole` names what was checked: "The body". No value that
 * was sent is quoted.
 */
export function sayIssues(issues: readonly SchemaIssue[], value: unknown, whole: string): string {
  const said = issues.flatMap((issue) =>
    memberErrors([issue], value).map((error) => sayOne(error, wordsFor(issue, error), whole)),
  );
  return join(said);
}

/** The same for errors that no schema found. */
export function sayErrors(errors: readonly MemberError[], whole: string): string {
  return join(errors.map((error) => sayOne(error, BY_CODE[error.code] ?? 'is not allowed', whole)));
}

/** What can be said by the code alone. */
const BY_CODE: Readonly<Record<string, string>> = {
  required: 'is missing',
  'unknown-member': 'is not known here: correct its name or leave it out',
  'duplicate-member': 'is there twice: send it once',
  'number-not-exact': 'is a number that not every reader reads alike: send fewer digits',
  'character-not-allowed': 'must not have control characters or broken ones in it',
  'name-not-allowed': 'is no name that is allowed here',
  blank: 'must not be blank',
};

function join(said: readonly string[]): string {
  const more = said.length - SAID_MOST;
  const shown = said.slice(0, SAID_MOST).join('; ');
  return more > 0 ? `${shown}; and ${more} more, see \`errors\`.` : `${shown}.`;
}

function sayOne({ pointer }: MemberError, words: string, whole: string): string {
  return `${nameAt(pointer) ?? whole} ${words}`;
}

/** `/payment/amount` as `payment.amount`; null for the whole. */
function nameAt(pointer: string): string | null {
  if (pointer === '') return null;
  const parts = pointer.slice(1).split('/');
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
}

function wordsFor(issue: ZodIssue, { code }: MemberError): string {
  const own = issue.message.startsWith('must ') ? issue.message : null;
  if (code === 'required') return own === null ? 'is missing' : `is missing: it ${own}`;
  return own ?? BY_CODE[code] ?? byIssue(issue);
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
};

function byIssue(issue: ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected ?? ''] ?? 'of another type'}`;
    case 'too_small':
      return bound(issue, 'at least', issue.minimum);
    case 'too_big':
      return bound(issue, 'at most', issue.maximum);
    case 'invalid_value':
      return `must be one of ${(issue.values ?? []).map(String).join(', ')}`;
    case 'invalid_format':
      return `must have the form of ${FORMATS[issue.format ?? ''] ?? 'what it is'}`;
    case undefined:
    default:
      return 'is not allowed';
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  datetime: 'an instant, such as 2026-11-30T10:00:00Z',
};

function bound({ origin, inclusive }: ZodIssue, side: string, limit: unknown): string {
  if (origin === 'string') {
    return limit === 1 ? 'must not be empty' : `must have ${side} ${String(limit)} characters`;
  }
  if (origin === 'array') return `must have ${side} ${String(limit)} items`;
  if (inclusive === false) return `must be ${side === 'at least' ? 'more' : 'less'} than ${limit}`;
  return `must be ${side} ${String(limit)}`;
}
