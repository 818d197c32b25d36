import { exampleOf, PROBLEM_MEDIA_TYPE, PROBLEMS, type ProblemCode } from './problem.js';

/** What decides which problems an operation can answer. */
export interface OperationForm {
  readonly method: string;
  /** As OpenAPI writes it: `/v1/bookings/{id}`. */
  readonly path: string;
  readonly tags: readonly string[];
  readonly hasQuery: boolean;
  /** What the operation names itself. */
  readonly named: readonly ProblemCode[];
}

const FOR_OPERATORS: ReadonlySet<string> = new Set(['runs', 'cases']);
const OF_A_POST: readonly ProblemCode[] = [
  'key-missing',
  'key-malformed',
  'body-malformed',
  'body-invalid',
  'too-deep',
  'body-too-large',
  'media-type',
  'in-progress',
  'key-reused',
];

/** The problems that an operation can answer, each once. */
export function problemsOf(form: OperationForm): readonly ProblemCode[] {
  const isOurs = form.path.startsWith('/v1/');
  const codes = new Set<ProblemCode>(form.hasQuery ? ['query-invalid'] : []);
  const add = (more: readonly ProblemCode[]): void => more.forEach((code) => codes.add(code));
  if (form.method === 'post') add(OF_A_POST);
  if (isOurs) add(['unauthenticated', 'not-acceptable', 'unavailable']);
  if (form.tags.some((tag) => FOR_OPERATORS.has(tag))) add(['forbidden']);
  if (form.path.includes('{')) add(['not-found']);
  add(form.named);
  return [...codes];
}

interface DescribedRefusal {
  readonly description: string;
  readonly headers?: Readonly<Record<string, object>>;
  readonly content: Readonly<Record<string, object>>;
}

/** What each status means that some problems are answered with, for OpenAPI. */
export function describeRefusals(
  codes: readonly ProblemCode[],
): Readonly<Record<string, DescribedRefusal>> {
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const here = codes.filter((code) => PROBLEMS[code].status === status);
      return [String(status), describeRefusal(here)];
    }),
  );
}

function describeRefusal(codes: readonly ProblemCode[]): DescribedRefusal {
  const lines = codes.map((code) => `- \`${code}\`: ${PROBLEMS[code].title}`);
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }] as const);
  const names = new Set(codes.flatMap((code) => Object.keys(exampleOf(code, '').headers)));
  names.delete('Content-Type');
  const headers = [...names].map((name) => [name, { schema: { type: 'string' } }] as const);
  return {
    description: lines.join('\n'),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    content: {
      [PROBLEM_MEDIA_TYPE]: {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** An example of each problem, for OpenAPI. */
export function problemExamples(
  codes: readonly ProblemCode[],
  publicUrl: string,
): Readonly<Record<string, { readonly summary: string; readonly value: object }>> {
  return Object.fromEntries(
    codes.map((code) => {
      const value = exampleOf(code, publicUrl).body;
      return [code, { summary: PROBLEMS[code].title, value }];
    }),
  );
}
