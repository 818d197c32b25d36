import { Option, type Command } from 'commander';
import { CASE_STATES, VERDICTS, type CaseView } from '../engine/cases/case-schema.js';
import { decideCase, rehearseVerdict } from './decide-case.js';
import type { Cli } from './create-cli.js';
import { API_HELP, JSON_OPTION } from './options.js';
import { printable, toJson } from './printable.js';
import { readCaseId, readLimit, readVerdict, type VerdictOptions } from './read-arguments.js';
import { readPages } from './read-pages.js';
import { showAction } from './show-action.js';
import { showCase, showCases, type CaseSeen } from './show-cases.js';
import { resolveCommand } from './words.js';

interface ListOptions {
  readonly state: string;
  readonly limit: string;
  readonly json?: true;
}

interface ResolveOptions extends VerdictOptions {
  readonly yes?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

/**
 * Adds `recourse cases list`, `show` and `resolve`: what a person must decide, and the deciding.
 */
export function addCasesCommand(program: Command, cli: Cli): void {
  const cases = program.command('cases').description('what waits for a person, for operators');
  cases
    .command('list')
    .description('list cases, the newest first')
    .addOption(
      new Option('--state <state>', 'which ones').choices([...CASE_STATES, 'all']).default('open'),
    )
    .option('--limit <number>', 'how many at most', '100')
    .option(...JSON_OPTION)
    .addHelpText('after', API_HELP)
    .action((options: ListOptions) => cli.perform(() => list(cli, options)));
  cases
    .command('show')
    .description('show a case: what was sent, every attempt, and what each verdict would do')
    .argument('<id>', 'the id of the case')
    .option(...JSON_OPTION)
    .addHelpText('after', API_HELP)
    .action((given: string, { json }: { readonly json?: true }) =>
      cli.perform(async () => {
        const path = `/v1/cases/${readCaseId(given)}`;
        const { document } = await cli.api().get<CaseSeen>(path, 'case');
        if (json) return cli.terminal.data(toJson(document));
        cli.terminal.data(showCase(printable(document)));
        if (document.state === 'open') cli.terminal.say(`\n${resolveCommand(document.id)}`);
      }),
    );
  addResolve(cases, cli);
}

function addResolve(cases: Command, cli: Cli): void {
  cases
    .command('resolve')
    .description('show a case and what the verdict will do, ask, and give the verdict')
    .argument('<id>', 'the id of the case')
    .addOption(
      new Option('--verdict <verdict>', 'what is true').choices(VERDICTS).makeOptionMandatory(),
    )
    .requiredOption('--evidence <text>', 'what shows it: the provider’s own record')
    .requiredOption('--reason <text>', 'why you decide so')
    .option('--value <json>', 'what the act would have answered, when it happened')
    .option('--amount <minor-units>', 'the money it is about, with --currency')
    .option('--currency <code>', 'as ISO 4217 has it')
    .option('--dry-run', 'show what would happen, and decide nothing')
    .option('--yes', 'do not ask; needed where nobody can be asked')
    .option(...JSON_OPTION)
    .addHelpText('after', API_HELP)
    .action((id: string, options: ResolveOptions) => cli.perform(() => resolve(cli, id, options)));
}

async function list(cli: Cli, { state, limit, json }: ListOptions): Promise<void> {
  const most = readLimit(limit);
  const filter = state === 'all' ? {} : { state };
  const page = await readPages<CaseView>(cli.api(), '/v1/cases', filter, most);
  cli.terminal.data(json ? toJson(page) : showCases(printable(page)));
}

async function resolve(cli: Cli, given: string, options: ResolveOptions): Promise<void> {
  const id = readCaseId(given);
  const wish = { id, request: readVerdict(options), yes: options.yes === true };
  if (options.dryRun) {
    const would = await rehearseVerdict(cli.api(), wish);
    return cli.terminal.data(options.json ? toJson(would) : showAction(printable(would)));
  }
  const closed = await decideCase(cli.api(), cli.terminal, wish);
  if (options.json) return cli.terminal.data(toJson(closed));
  cli.terminal.data(`${id} is resolved: ${wish.request.verdict}`);
  cli.terminal.say(`What becomes of it: npx recourse runs show ${closed.run}`);
}
