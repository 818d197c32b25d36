/** What a journal line, and so Temporal's history, may hold of a provider's answer. */
const SAFE = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** A code as it is, or `unnamed` when it is more than a code: a name could hide in prose. */
export function safeCode(code: string): string {
  return SAFE.test(code) ? code : 'unnamed';
}

/** The provider's own id of what it did, if its answer has one that is only an id. */
export function safeId(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  const { id } = value;
  return typeof id === 'string' && SAFE.test(id) ? id : null;
}
