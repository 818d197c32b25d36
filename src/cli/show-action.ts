import type { ActionView } from '../engine/runs/action-schema.js';
import { table } from './table.js';
import { sayRemainder } from './words.js';

/** What an action or a verdict does to a run, and what follows from it. */
export function showAction(action: ActionView): string {
  return [head(action), follows(action), remains(action)]
    .filter((text) => text !== '')
    .join('\n\n');
}

function head({ run, action, changes, before, after }: ActionView): string {
  const stands = table(
    ['', 'state', 'direction', 'the customer sees'],
    [
      ['before', before.state, before.direction, before.status],
      ['after', after.state, after.direction, after.status],
    ],
  );
  const note = changes ? '' : '\nThis changes nothing: it is so already.';
  return `${action} of ${run}\n${stands}${note}`;
}

function follows({ follows: expected }: ActionView): string {
  if (expected.length === 0) return '';
  const rows = expected.map(({ turn, text, case: id }) => [
    String(turn),
    id === null ? text : `${text} (${id})`,
  ]);
  return `What follows, if every call takes effect\n${table(['turn', 'what'], rows)}`;
}

function remains({ remains: left }: ActionView): string {
  return left.length === 0 ? '' : `What remains\n${left.map(sayRemainder).join('\n')}`;
}
