/** An issue as Standard Schema has it. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** One member of a body, or one parameter of a query, that does not match the schema. */
export interface MemberError {
  /** RFC 6901. */
  readonly pointer: string;
  readonly code: string;
}

/** Enough to correct a form by; a body of errors must not make a far larger answer than itself. */
export const ERROR_LIMIT = 20;
/** Longer pointers point to the last ancestor that fits. */
const POINTER_LIMIT = 300;

type Path = readonly (string | number)[];

/** The JSON Pointer (RFC 6901) of a path. */
export function toPointer(path: Path): string {
  let pointer = '';
  for (const part of path) {
    const next = `${pointer}/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (next.length > POINTER_LIMIT) break;
    pointer = next;
  }
  return pointer;
}

/** What zod adds to an issue of Standard Schema. */
export interface ZodIssue extends SchemaIssue {
  readonly code?: string;
  readonly expected?: string;
  readonly format?: string;
  readonly inclusive?: boolean;
  readonly maximum?: number | bigint;
  readonly minimum?: number | bigint;
  readonly origin?: string;
  readonly values?: readonly unknown[];
  readonly keys?: readonly string[];
  readonly params?: { readonly code?: string };
}

/**
 * The issues of a schema as pointers and stable codes: `required`, `wrong-type`, `unknown-member`,
 * `too-small`, `too-big` (a number or a length), `not-allowed`, `wrong-format`, or a code that the
 * schema names itself. `value` is what was checked: it tells a missing member from a wrong one.
 */
export function memberErrors(
  issues: readonly SchemaIssue[],
  value: unknown,
): readonly MemberError[] {
  return issues.flatMap((issue) => errorsOf(issue, value)).slice(0, ERROR_LIMIT);
}

function errorsOf(issue: ZodIssue, value: unknown): readonly MemberError[] {
  const path = (issue.path ?? []).map(segmentOf);
  if (issue.code === 'unrecognized_keys') {
    const keys = (issue.keys ?? []).slice(0, ERROR_LIMIT);
    return keys.map((key) => ({ pointer: toPointer([...path, key]), code: 'unknown-member' }));
  }
  return [{ pointer: toPointer(path), code: codeOf(issue, path, value) }];
}

function codeOf(issue: ZodIssue, path: Path, value: unknown): string {
  if (valueAt(value, path) === undefined) return 'required';
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_union':
      return 'wrong-type';
    case 'too_small':
      return 'too-small';
    case 'too_big':
      return 'too-big';
    case 'invalid_value':
      return 'not-allowed';
    case 'invalid_format':
      return 'wrong-format';
    case 'invalid_key':
      return 'name-not-allowed';
    case undefined:
    default:
      return issue.params?.code ?? 'not-allowed';
  }
}

function segmentOf(segment: PropertyKey | { readonly key: PropertyKey }): string | number {
  const key = typeof segment === 'object' ? segment.key : segment;
  return typeof key === 'number' ? key : String(key);
}

function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Record<string | number, unknown>)[part];
  }
  return at;
}
