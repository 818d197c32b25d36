/** An answer that is more than a status 200 and a body. */
export class Answer {
  constructor(
    readonly status: number,
    /** The bytes of a JSON document, unless `headers` has another Content-Type. */
    readonly body: Uint8Array,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** The bytes that a value is sent as. */
export function jsonBytes(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value), 'utf8');
}
