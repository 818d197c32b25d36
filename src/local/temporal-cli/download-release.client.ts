import { gunzipSync } from 'node:zlib';
import type { BringOptions } from './bring-options.js';
import { keepBinary } from './keep-binary.process.js';
import { CLI_VERSION, type PinnedRelease } from './pinned-release.js';

/**
 * Without network, or behind a wall that swallows packets, the next way must have its turn soon.
 */
const SILENCE_LIMIT_MS = 10_000;

const TAR_BLOCK = 512;

/**
 * Downloads the release from Temporal's own site, the one the SDK itself downloads from, and keeps
 * the program at `path`. Gives up after ten seconds without a byte.
 */
export async function downloadRelease(
  release: PinnedRelease,
  path: string,
  { onProgress, signal }: BringOptions,
): Promise<string> {
  const { platform, arch } = release;
  const archive = `https://temporal.download/cli/archive/v${CLI_VERSION}`;
  const url = `${archive}?platform=${platform}&arch=${arch}`;
  const silence = new AbortController();
  const abort = () => silence.abort(new Error('no answer within 10 s'));
  let timer = setTimeout(abort, SILENCE_LIMIT_MS);
  try {
    const response = await fetch(url, { signal: AbortSignal.any([silence.signal, signal]) });
    if (!response.ok || response.body === null) {
      throw new Error(`${url} answers ${response.status}`);
    }
    const total = Number(response.headers.get('content-length') ?? '0');
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      clearTimeout(timer);
      timer = setTimeout(abort, SILENCE_LIMIT_MS);
      chunks.push(chunk);
      onProgress({ bytes: (bytes += chunk.byteLength), total });
    }
    keepBinary(
      fileInTar(gunzipSync(Buffer.concat(chunks)), 'temporal'),
      release.binarySha256,
      path,
    );
    return path;
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** `fetch failed` says nothing; what it wraps does. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message ? error.cause.message : error.message;
}

function fileInTar(tar: Buffer, name: string): Buffer {
  for (let at = 0; at + TAR_BLOCK <= tar.length;) {
    const header = tar.subarray(at, at + TAR_BLOCK);
    const size = Number.parseInt(header.toString('latin1', 124, 136), 8) || 0;
    const entry = header.toString('latin1', 0, 100).replace(/\0.*$/s, '');
    if (entry === name) return tar.subarray(at + TAR_BLOCK, at + TAR_BLOCK + size);
    at += TAR_BLOCK + Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
  }
  throw new Error(`the archive holds no file "${name}"`);
}
