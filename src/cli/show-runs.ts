import type { RunPage } from '../engine/runs/run-schema.js';
import { table } from './table.js';
import { sayTime } from './words.js';

/** Runs as they are listed, one a line. */
export function showRuns({ data, has_more }: Pick<RunPage, 'data' | 'has_more'>): string {
  if (data.length === 0) return 'No run of this kind.';
  const rows = data.map((run) => [
    run.id,
    `${run.saga} v${run.version}`,
    run.account,
    run.state,
    run.step,
    run.problem === null ? null : `${run.problem} since ${sayTime(run.stuck_since)}`,
    sayTime(run.created_at),
    sayTime(run.updated_at),
  ]);
  const head = ['run', 'saga', 'account', 'state', 'step', 'problem', 'accepted', 'last news'];
  const listed = table(head, rows);
  return has_more ? `${listed}\nThere are more: give a higher --limit.` : listed;
}
