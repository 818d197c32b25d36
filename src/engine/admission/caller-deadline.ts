import { Problem } from '../http/problem.js';

/** The header in which a caller says until when an answer is of use. */
export const DEADLINE_HEADER = 'recourse-deadline';

const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d|60)(?:\.\d{1,9})?(?:[Zz]|[+-](\d\d):(\d\d))$/;

/**
 * The moment that `Recourse-Deadline` names, in milliseconds since 1970; null without the header.
 * Throws Problem: deadline-malformed.
 */
export function readDeadline(header: string | readonly string[] | undefined): number | null {
  if (header === undefined) return null;
  const moment = typeof header === 'string' ? momentOf(header) : null;
  if (moment === null) throw new Problem('deadline-malformed');
  return moment;
}

function momentOf(text: string): number | null {
  const match = RFC_3339.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second, zoneHour = 0, zoneMinute = 0] = match
    .slice(1)
    .map((digits: string | undefined) => Number(digits ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number?,
    number?,
  ];
  // What Date knows of no such day it counts on into the next month.
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isDay || hour > 23 || minute > 59 || zoneHour > 23 || zoneMinute > 59) return null;
  // A leap second is the end of its minute.
  const read = Date.parse(second === 60 ? text.replace(/:60/, ':59') : text);
  return Number.isNaN(read) ? null : read;
}
