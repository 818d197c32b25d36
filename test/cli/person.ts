import type { CliTerminal } from '../../src/cli/cli-terminal.process.js';

/** Somebody at a terminal who answers every question the same; null: nobody is there. */
export function person(answer: string | null): CliTerminal & { readonly heard: string[] } {
  const heard: string[] = [];
  return {
    heard,
    data: (text) => void heard.push(`data: ${text}`),
    say: (text) => void heard.push(text),
    canAsk: answer !== null,
    ask: async (question) => {
      heard.push(question);
      return answer ?? '';
    },
  };
}
