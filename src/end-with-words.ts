import { ConfigError } from './config.js';
import { ConfigurationInvalid } from './engine/configuration/configuration-invalid.js';
import { DatabaseUnusable } from './engine/database/await-schema.process.js';
import { PortUnusable } from './engine/http/port-unusable.js';
import { TemporalTlsInvalid } from './engine/runs/temporal-connection.client.js';
import { EncryptionKeysInvalid } from './engine/sealing/seal.js';
import { MetricsPortUnusable } from './engine/telemetry/metrics-server.client.js';
import { SearchAttributesMissing } from './engine/worker/search-attributes.client.js';

/** What a person has to mend before a process can start; each message is one line for him. */
const FOR_A_PERSON = [
  ConfigError,
  ConfigurationInvalid,
  DatabaseUnusable,
  EncryptionKeysInvalid,
  MetricsPortUnusable,
  PortUnusable,
  SearchAttributesMissing,
  TemporalTlsInvalid,
];

/** Ends a process that cannot start: with one line where a person can mend it, else as it fell. */
export function endWithWords(part: string, error: unknown): never {
  const isForPerson = FOR_A_PERSON.some((kind) => error instanceof kind);
  if (!isForPerson || !(error instanceof Error)) throw error;
  process.stderr.write(`${part}: ${error.message}\n`);
  process.exit(1);
}
