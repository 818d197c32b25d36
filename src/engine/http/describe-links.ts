import { TAKEN_FROM_LINK } from './describe.decorator.js';

/** As much of an operation as its links need. */
export interface LinkedOperation {
  readonly operationId?: string;
  readonly parameters?: readonly object[];
  /** Left by `TakenFromLink`, until its links are made. */
  [TAKEN_FROM_LINK]?: { readonly members: readonly string[] };
  readonly responses: Record<string, { readonly headers?: object; links?: object }>;
}

export type LinkedPaths = Readonly<Record<string, Readonly<Record<string, LinkedOperation>>>>;

interface Target {
  /** The path of the collection, such as `/v1/bookings`. */
  readonly base: string;
  /** The parameter of the path, such as `id`. */
  readonly parameter: string;
  readonly operation: LinkedOperation;
}

const ON_ONE = /^(?<base>\/[^{]*)\/\{(?<parameter>[a-z_]+)\}(?:\/[^{]*)?$/;

/**
 * Gives each answer that names an object links to all that can be asked about it: of a list its
 * first one, of what was made or read that one itself, also where it was made below another, as
 * `/v1/bookings/{id}/cancellations` makes what is found at `/v1/cancellations/{id}`. A program gets
 * from lists to ids by them.
 */
export function linkOperations(paths: LinkedPaths): void {
  const targets = Object.entries(paths).flatMap(([path, item]) => targetsAt(path, item));
  for (const target of targets) {
    const { base, parameter } = target;
    const one = `${base}/{${parameter}}`;
    link(paths[base]?.['get'], `$response.body#/data/0/${parameter}`, target);
    link(paths[base]?.['post'], `$response.body#/${parameter}`, target);
    link(paths[one]?.['get'], `$request.path.${parameter}`, target);
    for (const [path, item] of Object.entries(paths)) {
      if (isMadeBelow(path, base)) link(item['post'], `$response.body#/${parameter}`, target);
    }
  }
  for (const item of Object.values(paths)) {
    for (const operation of Object.values(item)) Reflect.deleteProperty(operation, TAKEN_FROM_LINK);
  }
}

/** Whether a path makes what lies in a collection, below something else. */
function isMadeBelow(path: string, base: string): boolean {
  const [last, ...others] = path.split('/').toReversed();
  return others[0]?.startsWith('{') === true && last === base.split('/').at(-1);
}

function targetsAt(path: string, item: Readonly<Record<string, LinkedOperation>>): Target[] {
  const { base, parameter } = ON_ONE.exec(path)?.groups ?? {};
  if (base === undefined || parameter === undefined) return [];
  return Object.values(item).map((operation) => ({ base, parameter, operation }));
}

function link(source: LinkedOperation | undefined, id: string, target: Target): void {
  const { operationId } = target.operation;
  if (source === undefined || operationId === undefined || source === target.operation) return;
  for (const [status, response] of Object.entries(source.responses)) {
    if (!status.startsWith('2')) continue;
    const parameters = { [target.parameter]: id, ...revision(response.headers, target.operation) };
    const body = id.startsWith('$response') ? bodyOf(target.operation) : {};
    response.links = { ...response.links, [operationId]: { operationId, parameters, ...body } };
  }
}

/** What was read tells the state that a decision is about. */
function revision(headers: object | undefined, { parameters }: LinkedOperation): object {
  const asks = (parameters ?? []).some((one) => 'name' in one && one.name === 'If-Match');
  const tells = headers !== undefined && 'ETag' in headers;
  return asks && tells ? { 'header.If-Match': '$response.header.ETag' } : {};
}

/** What of the body was told by the answer, such as a token. */
function bodyOf(operation: LinkedOperation): object {
  const members = operation[TAKEN_FROM_LINK]?.members ?? [];
  if (members.length === 0) return {};
  const taken = members.map((name) => [name, `$response.body#/${name}`] as const);
  return { requestBody: Object.fromEntries(taken) };
}
