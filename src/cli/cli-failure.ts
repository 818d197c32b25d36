import { ConfigError } from '../config.js';

/** Thrown for what was refused or failed. Its message is a line: what, where, and what to do. */
export class CliFailure extends Error {
  override readonly name: string = 'CliFailure';
}

/** Thrown for a command line that is wrong by itself, whatever the world is like. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

/** 1 for what was refused or failed, 2 for wrong usage; a wrong variable is wrong usage too. */
export function exitCodeOf(error: unknown): 1 | 2 {
  return error instanceof WrongUsage || error instanceof ConfigError ? 2 : 1;
}

/** An error as the one line that a person reads. */
export function sayError(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return `recourse: ${text.trim().replaceAll(/\s*[\r\n]+\s*/g, ' ')}`;
}
