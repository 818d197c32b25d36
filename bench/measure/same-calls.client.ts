import { askJson } from './json.client.js';

/** One call as the providers saw it, without what differs from trip to trip. */
type SeenCall = Readonly<Record<string, unknown>>;

/** What both trips ask for side by side comes in either order. */
const BESIDE: ReadonlySet<string> = new Set(['<id>:flight', '<id>:hotel']);

/**
 * Throws when two trips were not the same calls to the same providers in the same order, but for
 * those side by side: then a comparison of what they cost would say nothing.
 */
export async function checkSameCalls(sandbox: string, one: string, other: string): Promise<void> {
  const [first, second] = [await callsOf(sandbox, one), await callsOf(sandbox, other)];
  if (first === second) return;
  throw new Error(`${one} and ${other} are not the same trip:\n${first}\n${second}`);
}

async function callsOf(sandbox: string, id: string): Promise<string> {
  const { data } = await askJson('GET', `${sandbox}/_sandbox/requests?reference=${id}`, {});
  const calls = (data as readonly SeenCall[]).map(({ provider, operation, key, body }) => ({
    ...{ provider, operation, body },
    key: String(key).replace(id, '<id>'),
  }));
  // Names that the providers gave differ, and so do those that are made from the trip's.
  return JSON.stringify(besideByKey(calls), (_name, value: unknown) =>
    typeof value === 'string' ? value.replace(id, '<id>').replace(GIVEN, '$1<given>') : value,
  );
}

interface KeyedCall {
  readonly key: string;
}

/** Each stays where it came, and those side by side stand where the first of them came, by key. */
function besideByKey<Call extends KeyedCall>(calls: readonly Call[]): readonly Call[] {
  const first = calls.findIndex(({ key }) => BESIDE.has(key));
  const beside = calls.filter(({ key }) => BESIDE.has(key));
  const others = calls.filter(({ key }) => !BESIDE.has(key));
  const sorted = beside.toSorted((one, other) => one.key.localeCompare(other.key));
  return others.toSpliced(Math.max(first, 0), 0, ...sorted);
}

/** As the sandbox names things: a word, and twenty hexadecimal digits. */
const GIVEN = /^(\w+_|T-)[0-9a-f]{20}$/;
