/** What a provider answers: a status and a JSON body, or no body at all (204). */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> | null;
}

/**
 * What a provider makes of one call. Nothing has happened yet: the effects and mentions happen when
 * they are applied to the state, after which the answer may be given.
 */
export interface Decision<E> {
  readonly answer: Answer;
  readonly effects: readonly E[];
  readonly mentions: readonly Mention[];
}

/** A call that changed nothing, but by whose reference the object is found from now on. */
export interface Mention {
  readonly id: string;
  readonly reference: string;
}

/** What a decision needs besides state and call: fresh ids, and what payments keeps with a key. */
export interface DecisionTools {
  readonly newId: () => string;
  /** Hash of the request's body: the same key with another hash is refused. */
  readonly bodyHash: string;
  /** Whether the effect is the one that a repetition of its key is answered with. */
  readonly keepsKey: boolean;
}

/** An answer that says no: `{error: {code, message}}`. */
export function refusal(status: number, code: string, message: string): Answer {
  return { status, body: { error: { code, message } } };
}

/** A decision without any effect. */
export function onlyAnswer(answer: Answer): Decision<never> {
  return { answer, effects: [], mentions: [] };
}

/** A decision with one effect. */
export function oneEffect<E>(answer: Answer, effect: E): Decision<E> {
  return { answer, effects: [effect], mentions: [] };
}

/** Puts a value into the set that a map keeps under a key. */
export function addTo(index: Map<string, Set<string>>, key: string, value: string): void {
  const present = index.get(key);
  if (present === undefined) index.set(key, new Set([value]));
  else present.add(value);
}
