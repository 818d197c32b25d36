import type { DecidableCase, VerdictRequest } from '../engine/cases/case-schema.js';
import type { ActionView } from '../engine/runs/action-schema.js';
import { sayMoney } from '../engine/http/say-money.js';
import type { Api } from './api.client.js';
import { ApiRefused } from './api-refusal.js';
import { CliFailure, WrongUsage } from './cli-failure.js';
import type { CliTerminal } from './cli-terminal.process.js';
import { printable } from './printable.js';
import { showCase, type CaseSeen } from './show-cases.js';
import { sayClosed, valueExample } from './words.js';

/** A verdict that somebody wishes to give. */
export interface Wish {
  readonly id: string;
  readonly request: VerdictRequest;
  /** Whether to give it without asking. */
  readonly yes: boolean;
}

/**
 * Shows what a verdict would do to the run of a case as it is now: nothing is changed. Throws
 * CliFailure for a verdict that the case does not take.
 */
export async function rehearseVerdict(
  api: Api,
  { id, request }: Pick<Wish, 'id' | 'request'>,
): Promise<ActionView> {
  const { document, etag } = await api.get<CaseSeen>(`/v1/cases/${id}`, 'case');
  consequence(printable(document), request);
  const asked = { body: { ...request, dry_run: true }, ifMatch: etag ?? '' };
  return (await api.post<ActionView>(`/v1/cases/${id}/verdict`, 'action', asked)).document;
}

/**
 * Shows a case and what the verdict will do, asks, and gives the verdict on the case as it was
 * shown: if that has changed meanwhile, nothing is decided. Answers the closed case. Throws
 * WrongUsage when nobody can be asked, and CliFailure when the verdict was not given.
 */
export async function decideCase(
  api: Api,
  terminal: CliTerminal,
  { id, request, yes }: Wish,
): Promise<DecidableCase> {
  if (!yes && !terminal.canAsk) {
    throw new WrongUsage('nobody can be asked here: look at the case first, then give --yes');
  }
  const { document, etag } = await api.get<CaseSeen>(`/v1/cases/${id}`, 'case');
  const seen = printable(document);
  terminal.say(showCase(seen));
  terminal.say(`\n${consequence(seen, request)}`);
  if (!yes && !/^y(es)?$/i.test((await terminal.ask('Give this verdict? [y/N] ')).trim())) {
    throw new CliFailure('the verdict was not given: nothing was sent');
  }
  try {
    const body = { body: request, ifMatch: etag ?? '' };
    return (await api.post<DecidableCase>(`/v1/cases/${id}/verdict`, 'case', body)).document;
  } catch (error) {
    throw overtaken(id, error);
  }
}

/** What the verdict will do, in words; throws CliFailure for one that the case does not take. */
function consequence(seen: CaseSeen, request: VerdictRequest): string {
  const { verdict, value, amount } = request;
  if (seen.state !== 'open') {
    throw new CliFailure(`${seen.id} is closed already (${sayClosed(seen)}): nothing was sent`);
  }
  const allowed = seen.verdicts.find((one) => one.verdict === verdict);
  if (allowed === undefined) {
    const others = seen.verdicts.map((one) => one.verdict).join(', ') || 'none here';
    throw new CliFailure(`${seen.id} does not take ${verdict}; it takes ${others}`);
  }
  if (allowed.needs_value && value === undefined) {
    const act = seen.act ?? 'the act';
    const such = valueExample(allowed.value_example).map((example) => `, such as ${example}`);
    throw new CliFailure(
      `${verdict} needs --value here: what ${act} would have answered, as JSON${such.join('')}`,
    );
  }
  const money = amount === undefined ? '' : ` (${sayMoney(amount)})`;
  return `Your verdict: ${verdict}${money}. ${allowed.effect}`;
}

function overtaken(id: string, error: unknown): unknown {
  if (!(error instanceof ApiRefused)) return error;
  if (error.code === 'changed-since-you-looked') {
    return new CliFailure(
      `${id} has changed since it was shown here, so nothing was decided: ` +
        `look again and decide anew. ${error.message}`,
    );
  }
  if (error.code === 'case-resolved') {
    return new CliFailure(
      `${id} was closed meanwhile, so your verdict does not count: ` +
        `npx recourse cases show ${id} says how. ${error.message}`,
    );
  }
  return error;
}
