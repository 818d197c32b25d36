import type { Do, ScriptedFault } from './fault-script.js';
import { BadFault, readFault } from './fault-script.js';
import type { RawRequest } from './incoming.js';
import { readBody, splitTarget } from './incoming.js';
import type { Draft, Memory } from './memory.js';
import { shownEffects, shownRequests } from './memory.js';
import type { Answer } from './world/answer.js';
import { refusal } from './world/answer.js';

/** What a request to the sandbox itself records, and its answer once that is recorded. */
export interface OwnDecision {
  readonly drafts: readonly Draft[];
  readonly answer: () => Answer;
}

/** Decides a request below `/_sandbox`: the script of faults, and the witness. */
export function decideOwn(memory: Memory, raw: RawRequest): OwnDecision {
  const { path, query } = splitTarget(raw.target);
  switch (`${raw.method} ${path}`) {
    case 'GET /_sandbox/healthz':
      return told({ status: 200, body: { status: 'ok' } });
    case 'POST /_sandbox/faults':
      return addFault(memory, raw);
    case 'GET /_sandbox/faults':
      return told({ status: 200, body: { data: memory.script.map(presentFault) } });
    case 'DELETE /_sandbox/faults':
      return { drafts: [{ line: 'faults_cleared' }], answer: () => ({ status: 204, body: null }) };
    case 'GET /_sandbox/requests':
      return told(witnessed(query, (prefix) => shownRequests(memory, prefix)));
    case 'GET /_sandbox/effects':
      return told(witnessed(query, (prefix) => shownEffects(memory, prefix)));
    default:
      return told(refusal(404, 'no_such_route', `the sandbox has no ${raw.method} ${path}`));
  }
}

function told(answer: Answer): OwnDecision {
  return { drafts: [], answer: () => answer };
}

function addFault(memory: Memory, raw: RawRequest): OwnDecision {
  const { body, bodyState } = readBody(raw.body);
  if (bodyState !== 'json') return told(refusal(400, 'bad_request', 'body: is not JSON'));
  try {
    const fault = readFault(body);
    return {
      drafts: [{ line: 'fault', fault }],
      answer: () => ({ status: 201, body: memory.script.slice(-1).map(presentFault)[0] ?? null }),
    };
  } catch (error) {
    if (!(error instanceof BadFault)) throw error;
    const { field, message } = error;
    return told({ status: 400, body: { error: { code: 'bad_request', field, message } } });
  }
}

// A mistyped parameter would show everything, and let a test pass that looked at the wrong lines.
function witnessed(
  query: URLSearchParams,
  shown: (prefix: string) => readonly Record<string, unknown>[],
): Answer {
  const unknown = [...query.keys()].find((name) => name !== 'reference');
  if (unknown !== undefined) {
    return refusal(400, 'bad_request', `query ${unknown}: only reference is known`);
  }
  return { status: 200, body: { data: shown(query.get('reference') ?? '') } };
}

function presentFault({ id, fault, used }: ScriptedFault): Record<string, unknown> {
  return { id, ...fault, do: presentDo(fault.do), used };
}

function presentDo(fault: Do): unknown {
  const { name, ...args } = fault;
  return Object.keys(args).length === 0 ? name : { [name]: args };
}
