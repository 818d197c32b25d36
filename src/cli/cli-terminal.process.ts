import { createInterface } from 'node:readline/promises';

/** The person or program in front of a verb. */
export interface CliTerminal {
  /** What was asked for: standard output, so that a program can read it. */
  data(text: string): void;
  /** What is said beside it: standard error. */
  say(text: string): void;
  /** Whether somebody is there to be asked. */
  readonly canAsk: boolean;
  /** Asks, and answers what was typed; empty at the end of the input and at Ctrl-C. */
  ask(question: string): Promise<string>;
}

/** Opens the terminal of this process. A reader who has gone away, as of `| head`, is no error. */
export function openCliTerminal(): CliTerminal {
  const { stdin, stdout, stderr } = process;
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  return {
    data: (text) => void stdout.write(`${text}\n`),
    say: (text) => void stderr.write(`${text}\n`),
    canAsk: stdin.isTTY && stderr.isTTY,
    ask: async (question) => {
      const lines = createInterface({ input: stdin, output: stderr });
      const ended = new Promise<null>((resolve) => lines.once('close', () => resolve(null)));
      try {
        const typed = await Promise.race([lines.question(question), ended]);
        // Nobody has ended the line of the question.
        if (typed === null) stderr.write('\n');
        return typed ?? '';
      } finally {
        lines.close();
      }
    },
  };
}
