import { VERDICT_WORDS_MOST, type VerdictRequest } from '../engine/cases/case-schema.js';
import { WrongUsage } from './cli-failure.js';

const ID_TAIL = /^[a-z2-7]{26}$/;

/** The id of a case. Throws WrongUsage for what cannot be one. */
export function readCaseId(id: string): string {
  if (id.startsWith('case_') && ID_TAIL.test(id.slice('case_'.length))) return id;
  throw new WrongUsage(`${id} is no id of a case: that is case_ and 26 characters, whole`);
}

/** The id of a run. Throws WrongUsage for what cannot be one. */
export function readRunId(id: string): string {
  const [prefix = '', tail = '', ...more] = id.split('_');
  const shaped = /^[a-z]{1,13}$/.test(prefix) && ID_TAIL.test(tail) && more.length === 0;
  if (shaped && prefix !== 'case') return id;
  throw new WrongUsage(`${id} is no id of a run: that is such as bk_ and 26 characters, whole`);
}

const LIMIT_MOST = 10_000;

/** How much is listed at most. Throws WrongUsage. */
export function readLimit(text: string): number {
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= LIMIT_MOST) return limit;
  throw new WrongUsage(`--limit ${text}: a number from 1 to ${LIMIT_MOST} expected`);
}

/** A whole number from one to another. Throws WrongUsage. */
export function readWhole(option: string, text: string, least: number, most: number): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new WrongUsage(`${option} ${text}: a whole number from ${least} to ${most} expected`);
}

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** A length of time such as 90s, 10m, 6h or 2d, in milliseconds. Throws WrongUsage. */
export function readDurationMs(option: string, text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,4})([smhd])$/.exec(text) ?? [];
  const unitMs = UNITS_MS[unit];
  if (unitMs !== undefined) return Number(count) * unitMs;
  throw new WrongUsage(`${option} ${text}: a length of time expected, such as 90s, 10m or 6h`);
}

const ACCOUNT = /^[a-z][a-z0-9_]{0,39}$/;
const WORDS_MOST = 200;

/** The id of an account. Throws WrongUsage. */
export function readAccount(id: string): string {
  if (ACCOUNT.test(id)) return id;
  throw new WrongUsage(
    `--account ${id}: at most 40 of a-z, 0-9 and _ expected, the first one a letter`,
  );
}

/** A name or a note. Throws WrongUsage. */
export function readWords(option: string, text: string, most = WORDS_MOST): string {
  if (text.trim() !== '' && text.length <= most && !/\p{Cc}/u.test(text)) return text;
  throw new WrongUsage(`${option}: one line of 1 to ${most} characters expected`);
}

/** A verdict as it is typed. */
export interface VerdictOptions {
  readonly verdict: VerdictRequest['verdict'];
  readonly evidence: string;
  readonly reason: string;
  readonly value?: string;
  readonly amount?: string;
  readonly currency?: string;
}

/** A verdict as it is sent. Throws WrongUsage for what no API would take. */
export function readVerdict(options: VerdictOptions): VerdictRequest {
  const { verdict, evidence, reason, value, amount, currency } = options;
  if ((amount === undefined) !== (currency === undefined)) {
    throw new WrongUsage('--amount and --currency: give both or neither');
  }
  return {
    verdict,
    evidence: readWords('--evidence', evidence, VERDICT_WORDS_MOST),
    reason: readWords('--reason', reason, VERDICT_WORDS_MOST),
    ...(value === undefined ? {} : { value: readValue(value) }),
    ...(amount === undefined || currency === undefined
      ? {}
      : { amount: { amount: readAmount(amount), currency } }),
  };
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WrongUsage(`--value: JSON expected, such as '{"id": "rs_1"}'`);
  }
}

function readAmount(text: string): number {
  const amount = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (amount >= 1 && Number.isSafeInteger(amount)) return amount;
  throw new WrongUsage(
    `--amount ${text}: a whole number of minor units expected (240000 is 2,400.00)`,
  );
}
