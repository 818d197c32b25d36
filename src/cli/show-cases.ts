import type { CasePage, CaseView, DecidableCase, SentView } from '../engine/cases/case-schema.js';
import { showAttempts } from './show-attempts.js';
import { table } from './table.js';
import { sayCall, sayClosed, sayProblem, sayTime, valueExample } from './words.js';

/** A case as it is read, with what was sent. */
export type CaseSeen = DecidableCase & { readonly sent: SentView | null };

/** Cases as they are listed, one a line. */
export function showCases({ data, has_more }: Pick<CasePage, 'data' | 'has_more'>): string {
  if (data.length === 0) return 'No case: nothing of this kind waits for a person.';
  const rows = data.map((one) => [
    one.id,
    sayTime(one.opened_at),
    sayCall(one),
    one.problem,
    one.state === 'open' ? 'open' : sayClosed(one),
    one.run,
  ]);
  const listed = table(['case', 'opened', 'call', 'problem', 'state', 'run'], rows);
  return has_more ? `${listed}\nThere are more: give a higher --limit.` : listed;
}

/** A case with its facts, and what each verdict would do. */
export function showCase(one: CaseSeen): string {
  return [about(one), sent(one), calls(one), decide(one)]
    .filter((text) => text !== '')
    .join('\n\n');
}

function about(one: CaseView): string {
  const state = one.state === 'open' ? 'open' : `closed: ${sayClosed(one)}`;
  const lines = [
    `${one.id}  ${state}`,
    `${sayCall(one)}: ${sayProblem(one.problem)}`,
    `run ${one.run}, ${one.saga} v${one.version}, account ${one.account}`,
    `opened ${sayTime(one.opened_at)}`,
  ];
  if (one.closed_at !== null) lines.push(`closed ${sayTime(one.closed_at)}`);
  if (one.evidence !== null) lines.push(`evidence: ${one.evidence}`);
  if (one.reason !== null) lines.push(`reason: ${one.reason}`);
  return lines.join('\n');
}

function sent(one: CaseSeen): string {
  if (one.sent === null) return '';
  const { key, input, first_sent_at: at, provider_id: id } = one.sent;
  const lines = [
    `Sent to ${one.provider ?? 'the provider'}${one.act === null ? '' : ` by ${one.act}`}`,
    `key ${key}${at === null ? '' : `, first sent ${sayTime(at)}`}`,
    `input ${JSON.stringify(input)}`,
  ];
  if (id !== null) lines.push(`provider id ${id}`);
  return lines.join('\n');
}

function calls(one: CaseSeen): string {
  return one.attempts.length === 0 ? '' : `Attempts\n${showAttempts(one.attempts)}`;
}

function decide(one: CaseSeen): string {
  if (one.state !== 'open') return '';
  if (one.verdicts.length === 0) {
    return `The API does not know ${one.saga} v${one.version}: ask one that does for the verdicts.`;
  }
  const rows = one.verdicts.map(({ verdict, needs_value, value_example, effect }) => [
    verdict,
    needs_value ? ['--value', ...valueExample(value_example)].join(' ') : '',
    effect,
  ]);
  return table(['verdict', 'needs', 'what it will do'], rows);
}
