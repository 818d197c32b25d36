import { CliFailure } from './cli-failure.js';

/** What was asked, and how it was answered. */
export interface Refusal {
  /** As `GET http://127.0.0.1:3000/v1/cases`. */
  readonly request: string;
  readonly status: number;
  readonly retryAfter: string | null;
  /** The answer as JSON; `undefined` when it is none. */
  readonly body: unknown;
}

/** Thrown when the API answers with an error. */
export class ApiRefused extends CliFailure {
  override readonly name = 'ApiRefused';
  /** The code of its problem document; null when it sent none. */
  readonly code: string | null;

  constructor(refusal: Refusal) {
    const problem = problemIn(refusal.body);
    super(problem === null ? notOurs(refusal) : sentence(refusal, problem));
    this.code = problem?.code ?? null;
  }
}

interface ProblemDocument {
  readonly code: string;
  readonly title?: unknown;
  readonly detail?: unknown;
  readonly request_id?: unknown;
  readonly errors?: unknown;
}

function problemIn(body: unknown): ProblemDocument | null {
  if (typeof body !== 'object' || body === null || !('code' in body)) return null;
  return typeof body.code === 'string' ? (body as ProblemDocument) : null;
}

function notOurs({ request, status }: Refusal): string {
  return (
    `${request} was answered ${status} without a word of why: ` +
    'look whether RECOURSE_URL names the API of Recourse'
  );
}

/** What can be done about it from here, where that is more than the API itself can know. */
const REMEDIES: Readonly<Record<string, string>> = {
  unauthenticated: 'Set RECOURSE_KEY to an operator’s key that is not revoked.',
  forbidden: 'Set RECOURSE_KEY to an operator’s key.',
  'not-found': 'Check the id.',
};

function sentence(refusal: Refusal, problem: ProblemDocument): string {
  const { code, title, detail, request_id: id } = problem;
  const said = [title, REMEDIES[code] ?? detail].filter((text) => typeof text === 'string');
  const words = said.map((text) => (/[.!?]$/.test(text) ? text : `${text}.`)).join(' ');
  const facts = [
    `${code} ${refusal.status}`,
    ...membersIn(problem.errors),
    refusal.request,
    ...(typeof id === 'string' ? [`request ${id}`] : []),
    ...(refusal.retryAfter === null ? [] : [`again in ${refusal.retryAfter} s`]),
  ];
  return `${words} (${facts.join(', ')})`;
}

function membersIn(errors: unknown): readonly string[] {
  if (!Array.isArray(errors)) return [];
  return (errors as { readonly pointer?: unknown; readonly code?: unknown }[]).map(
    ({ pointer, code }) => `${String(pointer)} ${String(code)}`,
  );
}
