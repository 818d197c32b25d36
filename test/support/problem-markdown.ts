import { exampleOf, PROBLEMS, type ProblemCode } from '../../src/engine/http/problem.js';

const PUBLIC_URL = 'https://api.example.com';
/** A word of the HTTP interface in prose, where Markdown would read a tag. */
const plain = (sentence: string) =>
  sentence.replaceAll(/(?<!`[^`]*)<([a-z]+)>(?![^`]*`)/g, '`<$1>`');

/** The page in docs/problems about one problem: what the page at its `type` says. */
export function problemMarkdown(code: ProblemCode): string {
  const { status, title, when, remedy } = PROBLEMS[code];
  const { headers, body } = exampleOf(code, PUBLIC_URL);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  return `# ${title}

\`${code}\`, status ${status}. [All problems](README.md)

## When it is answered

${plain(when)}

## What to do

${plain(remedy)}

## How it looks

\`\`\`http
HTTP/1.1 ${status}
${head.join('')}
${JSON.stringify(body, null, 2)}
\`\`\`
`;
}

/** The list of them. */
export function problemsMarkdown(codes: readonly ProblemCode[]): string {
  const rows = codes.map((code) => {
    const { status, title } = PROBLEMS[code];
    return `| [\`${code}\`](${code}.md) | ${status} | ${title} |`;
  });
  return `# Problems

Every error that the API answers. Each comes as \`application/problem+json\` (RFC 9457); its \`code\` is one of these and stays as it is, and its \`type\` leads to the page about it, which every installation serves at \`/problems\`. These pages are made from \`src/engine/http/problem-kinds.ts\`, as those are; \`npx vitest run test/engine/problem-documents.test.ts -u\` makes them anew.

| code | status | what |
|---|---|---|
${rows.join('\n')}
`;
}
