/**
 * What moves the cursor, colours or turns text round, and would let a text from outside forge a
 * line.
 */
const STEERS_A_TERMINAL = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;
const REPLACEMENT = '\uFFFD';

/** A copy of what came from outside, in whose texts nothing steers a terminal. */
export function printable<Value>(value: Value): Value {
  return clean(value) as Value;
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(STEERS_A_TERMINAL, REPLACEMENT);
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, clean(member)]));
}

/** JSON for programs: nothing is lost, and what would steer a terminal is escaped. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .split('\n')
    .map((line) => line.replaceAll(STEERS_A_TERMINAL, escape))
    .join('\n');
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
