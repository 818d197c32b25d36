import type { ActionView, RunActionRequest } from '../engine/runs/action-schema.js';
import type { Api } from './api.client.js';
import { CliFailure, WrongUsage } from './cli-failure.js';
import type { CliTerminal } from './cli-terminal.process.js';
import { printable } from './printable.js';
import { showAction } from './show-action.js';

/** An action that somebody wishes to take on a run. */
export interface ActionWish {
  readonly id: string;
  readonly request: Pick<RunActionRequest, 'action' | 'reason'>;
  /** `true`, or the id of the run where it must be typed: do not ask. */
  readonly yes: true | string | undefined;
  readonly dryRun: boolean;
}

/**
 * Shows what an action would do to a run, asks, and takes it; what cannot be taken back is asked
 * for by the run's id, typed. A dry run ends after the showing. Answers what the API said last.
 * Throws WrongUsage when nobody can be asked, and CliFailure when the action was not taken.
 */
export async function actOnRun(
  api: Api,
  terminal: CliTerminal,
  { id, request, yes, dryRun }: ActionWish,
): Promise<ActionView> {
  if (!dryRun) readYes(id, request.action, yes, terminal.canAsk);
  const post = async (body: RunActionRequest): Promise<ActionView> =>
    (await api.post<ActionView>(`/v1/runs/${id}/actions`, 'action', { body })).document;
  const would = await post({ ...request, dry_run: true });
  if (dryRun) return would;
  terminal.say(showAction(printable(would)));
  if (yes === undefined && !(await agrees(terminal, id, request.action))) {
    throw new CliFailure(`${id} was left as it is: nothing was changed`);
  }
  return post(request);
}

function readYes(
  id: string,
  action: RunActionRequest['action'],
  yes: ActionWish['yes'],
  canAsk: boolean,
): void {
  if (yes === undefined) {
    if (canAsk) return;
    const how = action === 'abandon' ? `--yes ${id}` : '--yes';
    throw new WrongUsage(`nobody can be asked here: look with --dry-run first, then give ${how}`);
  }
  if (action === 'abandon' && yes !== id) {
    throw new WrongUsage(`--yes ${yes}: the id of the run that is abandoned expected, ${id}`);
  }
}

async function agrees(
  terminal: CliTerminal,
  id: string,
  action: RunActionRequest['action'],
): Promise<boolean> {
  if (action === 'abandon') {
    const question = '\nNothing more is done or undone, for good. Type the id of the run: ';
    return (await terminal.ask(question)).trim() === id;
  }
  return /^y(es)?$/i.test((await terminal.ask('\nDo it? [y/N] ')).trim());
}
