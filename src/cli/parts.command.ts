import type { Command } from 'commander';

/** Starts one process of an installation in this one; it ends it itself. */
export type RunPart = () => Promise<unknown>;

/** Adds `recourse api`, `worker` and `relay`: one process each, configured by its environment. */
export function addPartCommands(
  program: Command,
  parts: Readonly<Record<'api' | 'worker' | 'relay', RunPart>>,
): void {
  const says = {
    api: 'run the API alone: it accepts requests and answers them from Postgres',
    worker: 'run a worker alone: it drives runs and makes the calls',
    relay: 'run the relay alone: it tells Temporal what was decided, and looks after runs',
  };
  for (const name of ['api', 'worker', 'relay'] as const) {
    program
      .command(name)
      .description(`${says[name]}; configured by its environment`)
      .action(async () => void (await parts[name]()));
  }
}
