import { Problem } from './problem.js';
import { parseStrictJson, type Json } from './strict-json.js';

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

export interface BodyHeaders {
  readonly 'content-type'?: string | undefined;
  readonly 'content-encoding'?: string | undefined;
}

/** A body exactly as it came: it is read only after the caller is known. */
export class RawBody {
  #json: Json | undefined;

  constructor(
    readonly bytes: Uint8Array,
    private readonly headers: BodyHeaders,
  ) {}

  /**
   * The body as strict JSON; undefined when it is empty. Throws Problem: media-type,
   * body-malformed, too-deep or body-invalid.
   */
  json(): Json | undefined {
    if (this.bytes.length === 0) return undefined;
    if (this.#json === undefined) {
      checkMediaType(this.headers);
      this.#json = parseStrictJson(this.bytes);
    }
    return this.#json;
  }
}

function checkMediaType(headers: BodyHeaders): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity' || !JSON_TYPE.test(headers['content-type'] ?? '')) {
    throw new Problem('media-type');
  }
}
