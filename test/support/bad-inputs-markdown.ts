import { BUSINESS } from '../booking/bad-inputs/business.js';
import { FRAMING } from '../booking/bad-inputs/framing.js';
import { KEYS } from '../booking/bad-inputs/keys.js';
import { PATHS } from '../booking/bad-inputs/paths.js';
import { PROTOCOL } from '../booking/bad-inputs/protocol.js';
import { nameOf, type BadInput, type NotSent } from '../booking/bad-inputs/send.js';
import { STRUCTURE } from '../booking/bad-inputs/structure.js';

/** All of the list, by its themes. */
export const INPUTS: readonly {
  readonly theme: string;
  readonly inputs: readonly (BadInput | NotSent)[];
}[] = [
  { theme: 'The Idempotency-Key', inputs: KEYS },
  { theme: 'How a body is framed', inputs: FRAMING },
  { theme: 'What is in the JSON', inputs: STRUCTURE },
  { theme: 'What the values mean', inputs: BUSINESS },
  { theme: 'Path and query', inputs: PATHS },
  { theme: 'Header fields and HTTP', inputs: PROTOCOL },
];

/** The table as it is published. */
export function badInputsMarkdown(): string {
  const themes = INPUTS.map(({ theme, inputs }) => {
    const rows = inputs.map((input) => `| ${input.no} | ${input.what} | ${answerTo(input)} |`);
    return `## ${theme}\n\n| | what is sent | what is answered |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Bad inputs

What the API answers to what it should never be sent. Each row is a test over HTTP against a Postgres (\`test/booking/bad-inputs.pg.test.ts\`, which makes this page: \`npx vitest run test/booking/bad-inputs.pg.test.ts -u\`). No answer is a 5xx of ours, and a refusal leaves no row of any kind; what a code means is in [problems](problems/README.md). Where a row has several answers, they are in the order of what is sent. A dash: it is not sent in that test, and the row says why.

${themes.join('\n')}`;
}

function answerTo(input: BadInput | NotSent): string {
  if ('why' in input) return `– ${input.why}`;
  const names = [...new Set(input.tries.map(([, expected]) => nameOf(expected)))];
  return `${names.join('; ')}${input.note === undefined ? '' : `. ${input.note}`}`;
}
