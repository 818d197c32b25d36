/** Thrown at start when the API cannot listen at PORT; its message is for a person. */
export class PortUnusable extends Error {
  override readonly name = 'PortUnusable';

  constructor(host: string, port: number, code: string) {
    super(
      code === 'EADDRINUSE'
        ? `PORT: port ${port} of ${host} is in use: stop what listens there, or choose another port`
        : `PORT, HOST: nothing can listen on port ${port} of ${host} (${code})`,
    );
  }
}

/** Codes of the system that say that a place cannot be listened at. */
const CODES = new Set(['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES', 'ENOTFOUND', 'EAI_AGAIN']);

/** The error of a listener in words, where it is about its place; any other as it is. */
export function portError(host: string, port: number, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return CODES.has(code) ? new PortUnusable(host, port, code) : error;
}
