import { createHash } from 'node:crypto';
import { escapeHtml } from './escape-html.js';
import { htmlPage } from './html-page.js';
import { exampleOf, PROBLEM_MEDIA_TYPE, PROBLEMS, type ProblemCode } from './problem.js';

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --quiet: #666; --ground: #8881; }
@media (prefers-color-scheme: dark) { :root { --quiet: #aaa; } }
* { box-sizing: border-box; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 1rem 0 .25rem; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 .25rem; }
p { margin: .25rem 0 .75rem; }
nav, .quiet { color: var(--quiet); }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
code { background: var(--ground); border-radius: .25rem; padding: 0 .25rem; }
pre { background: var(--ground); border-radius: .5rem; padding: .75rem 1rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
dl { margin: 0; }
dt { border-top: 1px solid var(--line); padding-top: .75rem; }
dd { margin: 0 0 .75rem; overflow-wrap: anywhere; }
`;

/** What the pages may load: nothing but the style that is in them. */
export const PROBLEM_PAGE_POLICY = [
  `default-src 'none'`,
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

/** The page where the `type` of a problem leads, for people. */
export function problemPage(code: ProblemCode, publicUrl: string): string {
  const { status, title, when, remedy } = PROBLEMS[code];
  const { headers, body } = exampleOf(code, publicUrl);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  const answer = `${head.join('')}\n${JSON.stringify(body, null, 2)}`;
  return htmlPage(
    `${code}: ${title}`,
    STYLE,
    `<nav><a href="../problems">All problems</a> · <a href="../docs">The API</a></nav>
<h1>${inline(title)}</h1>
<p class="quiet"><code>${escapeHtml(code)}</code>, status ${status}</p>
<h2>When it is answered</h2>
<p>${inline(when)}</p>
<h2>What to do</h2>
<p>${inline(remedy)}</p>
<h2>How it looks</h2>
<pre>${escapeHtml(answer)}</pre>`,
  );
}

/** The page that lists every problem, for people. */
export function problemsPage(codes: readonly ProblemCode[]): string {
  const items = codes.map((code) => {
    const { status, title } = PROBLEMS[code];
    return `<dt><a href="problems/${escapeHtml(code)}"><code>${escapeHtml(code)}</code></a>
<span class="quiet">${status}</span></dt>
<dd>${inline(title)}</dd>`;
  });
  return htmlPage(
    'Problems',
    STYLE,
    `<nav><a href="docs">The API</a></nav>
<h1>Every error that this API answers</h1>
<p>Each comes as <code>${PROBLEM_MEDIA_TYPE}</code> (RFC 9457). Its <code>code</code> is one of
these and stays as it is; its <code>type</code> leads to the page about it.</p>
<dl>
${items.join('\n')}
</dl>`,
  );
}

/** A sentence in which what stands between backticks is code. */
function inline(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
