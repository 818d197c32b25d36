import type { Logger, LogFields } from '../../src/engine/telemetry/logger.js';

export interface KeptLine {
  readonly level: string;
  readonly text: string;
  readonly fields: LogFields;
}

/** A log that prints nothing and keeps what it was told, `debug` apart. */
export function keptLog(): Logger & { readonly lines: readonly KeptLine[] } {
  const lines: KeptLine[] = [];
  const at =
    (level: string) =>
    (text: string, fields: LogFields = {}) =>
      void lines.push({ level, text, fields });
  return { lines, debug: () => undefined, info: at('info'), warn: at('warn'), error: at('error') };
}
