import {
  describeHeaders,
  isHeaderName,
  type HeaderName,
  type HeadersOfAnswer,
} from './answer-headers.js';
import {
  exampleOf,
  isAlwaysThere,
  PROBLEM_MEDIA_TYPE,
  PROBLEMS,
  type ProblemCode,
} from './problem.js';

/** What decides which problems an operation can answer. */
export interface OperationForm {
  readonly method: string;
  /** As OpenAPI writes it: `/v1/bookings/{id}`. */
  readonly path: string;
  readonly hasQuery: boolean;
  /** Not every key may do it. */
  readonly needsRole: boolean;
  /** What the operation names itself. */
  readonly named: readonly ProblemCode[];
}

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
const UNDER_V1: readonly ProblemCode[] = [
  'deadline-malformed',
  'unauthenticated',
  'version-unknown',
  'not-acceptable',
  'rate-limited',
  'overloaded',
  'unavailable',
];
/** What the server answers before it knows which operation is meant, or when it has a bug. */
const OF_ALL: readonly ProblemCode[] = [
  'request-malformed',
  'request-timeout',
  'uri-too-long',
  'headers-too-large',
  'internal',
];

/** The problems that an operation can answer, each once. */
export function problemsOf(form: OperationForm): readonly ProblemCode[] {
  const isOurs = form.path.startsWith('/v1/');
  const codes = new Set<ProblemCode>(form.hasQuery ? ['query-invalid'] : []);
  const add = (more: readonly ProblemCode[]): void => more.forEach((code) => codes.add(code));
  if (form.method === 'post') add(OF_A_POST);
  if (isOurs) add(UNDER_V1);
  if (form.needsRole) add(['forbidden']);
  if (form.path.includes('{')) add(['not-found']);
  add(form.named);
  add(OF_ALL);
  return [...codes];
}

interface DescribedRefusal {
  readonly description: string;
  readonly headers: Readonly<Record<string, object>>;
  readonly content: Readonly<Record<string, object>>;
}

/**
 * What each status means that some problems are answered with, for OpenAPI; `sometimes`: headers
 * that each may have besides.
 */
export function describeRefusals(
  codes: readonly ProblemCode[],
  sometimes: readonly HeaderName[] = [],
): Readonly<Record<string, DescribedRefusal>> {
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const here = codes.filter((code) => PROBLEMS[code].status === status);
      return [String(status), describeRefusal(status, here, sometimes)];
    }),
  );
}

function describeRefusal(
  status: number,
  codes: readonly ProblemCode[],
  more: readonly HeaderName[],
): DescribedRefusal {
  const lines = codes.map((code) => `- \`${code}\`: ${PROBLEMS[code].title}`);
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }] as const);
  const { always, sometimes } = headersOf(codes);
  const here = { properties: { status: { const: status }, code: { enum: codes } } };
  return {
    description: lines.join('\n'),
    headers: describeHeaders({ always, sometimes: [...sometimes, ...more] }),
    content: {
      [PROBLEM_MEDIA_TYPE]: {
        schema: { allOf: [{ $ref: '#/components/schemas/Problem' }, here] },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** A header that each of the problems always has, is always there. */
function headersOf(codes: readonly ProblemCode[]): HeadersOfAnswer {
  const each = codes.map((code) => {
    const names = Object.keys(exampleOf(code, '').headers).filter(isHeaderName);
    return { code, names };
  });
  const sometimes = new Set(each.flatMap(({ names }) => names));
  const always = [...sometimes].filter((name: HeaderName) =>
    each.every(({ code, names }) => names.includes(name) && isAlwaysThere(code, name)),
  );
  return { always, sometimes };
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
