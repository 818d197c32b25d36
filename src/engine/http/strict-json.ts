import { ERROR_LIMIT, toPointer, type MemberError } from './member-error.js';
import { Problem } from './problem.js';
import { sayErrors } from './say-errors.js';

export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A booking nests three levels; deeper than this is an attack on whoever walks it. */
export const DEPTH_LIMIT = 32;

/**
 * Reads one JSON document so that everybody who reads it reads the same: no duplicate names, no
 * number that a double cannot hold exactly, no NUL, no half of a surrogate pair, at most 32 levels.
 * Throws Problem: body-malformed, too-deep, or body-invalid with a pointer to each member.
 */
export function parseStrictJson(bytes: Uint8Array): Json {
  const text = decode(bytes);
  const value = parse(text);
  const errors = inspect(text);
  if (errors.length > 0) {
    throw new Problem('body-invalid', { detail: sayErrors(errors, 'The body'), errors });
  }
  return value;
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string {
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw new Problem('body-malformed', { detail: 'The body is not UTF-8.' });
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new Problem('body-malformed');
  }
}

/** A string, a number, or one of the four brackets and the comma; the text is known to be JSON. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[{}[\],]/g;

interface Frame {
  /** The names seen so far in an object; null in an array. */
  readonly names: Set<string> | null;
  /** Where we are in it: a name, or an index as text. */
  at: string;
  /** In an object: the next string is a name. */
  nameNext: boolean;
}

function inspect(text: string): readonly MemberError[] {
  const frames: Frame[] = [];
  const errors: MemberError[] = [];
  const report = (code: string): void => {
    if (errors.length < ERROR_LIMIT) errors.push({ pointer: pointerTo(frames), code });
  };
  for (const [token] of text.matchAll(TOKEN)) {
    const frame = frames.at(-1);
    if (token === '{' || token === '[') {
      if (frames.length === DEPTH_LIMIT) throw new Problem('too-deep');
      frames.push(
        token === '{'
          ? { names: new Set(), at: '', nameNext: true }
          : { names: null, at: '0', nameNext: false },
      );
    } else if (token === '}' || token === ']') {
      frames.pop();
    } else if (token === ',') {
      if (frame?.names === null) frame.at = String(Number(frame.at) + 1);
      else if (frame !== undefined) frame.nameNext = true;
    } else if (token.startsWith('"')) {
      const words = unquoted(token);
      if (frame?.names && frame.nameNext) readName(frame, frame.names, words, report);
      else if (isBroken(words)) report('character-not-allowed');
    } else if (!isExact(token)) {
      report('number-not-exact');
    }
  }
  return errors;
}

function readName(
  frame: Frame,
  names: Set<string>,
  name: string,
  report: (code: string) => void,
): void {
  frame.at = name;
  frame.nameNext = false;
  if (isBroken(name)) {
    frame.at = '';
    report('character-not-allowed');
  } else if (name === '__proto__') report('unknown-member');
  else if (names.has(name)) report('duplicate-member');
  names.add(name);
}

/** Most have nothing to unescape, and a body may have many thousands. */
function unquoted(token: string): string {
  return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
}

function isBroken(words: string): boolean {
  // With the u flag the class matches only a half that has lost its other half.
  return words.includes('\u0000') || /\p{Surrogate}/u.test(words);
}

const SHORT_INTEGER = /^-?\d{1,15}$/;

/** Whether a double holds the literal exactly as written, and, when it is whole, safely. */
function isExact(literal: string): boolean {
  if (SHORT_INTEGER.test(literal)) return true;
  const value = Number(literal);
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  return decimal(literal) === decimal(String(value));
}

/** A number literal as its digits without outer zeros and the power of ten of the last one. */
function decimal(literal: string): string {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  if (kept === '') return '0';
  return `${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`;
}

function pointerTo(frames: readonly Frame[]): string {
  return toPointer(frames.map((frame) => frame.at));
}
