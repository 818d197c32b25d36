import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readJson, writePrivately } from './small-file.process.js';

const Secrets = z.object({
  /** Of the embedded Postgres' one user. */
  postgres_password: z.string().regex(/^[0-9a-f]{48}$/),
  /** As `RECOURSE_ENCRYPTION_KEYS`: `id:base64 of 32 bytes`, separated by commas. */
  encryption_keys: z.string().min(1),
});

export interface LocalSecrets {
  readonly postgresPassword: string;
  readonly encryptionKeys: string;
}

/**
 * The secrets of one data folder, made once and kept beside the data they open. Safe to run again.
 * @throws when the file is there and cannot be read: new secrets would not open the old data.
 */
export function ensureSecrets(dataFolder: string): LocalSecrets {
  const path = secretsFile(dataFolder);
  if (!existsSync(path)) {
    const made: z.infer<typeof Secrets> = {
      postgres_password: randomBytes(24).toString('hex'),
      encryption_keys: `local1:${randomBytes(32).toString('base64')}`,
    };
    writePrivately(path, `${JSON.stringify(made, null, 2)}\n`);
  }
  const read = Secrets.safeParse(readJson(path));
  if (!read.success) {
    throw new Error(
      `${path} cannot be read, and without it the data beside it cannot be opened: bring it ` +
        `back, or delete ${dataFolder} to begin anew`,
    );
  }
  return {
    postgresPassword: read.data.postgres_password,
    encryptionKeys: read.data.encryption_keys,
  };
}

const Keys = z.object({ customer: z.string(), operator: z.string() });

/** The keys of the demo account, for a person to copy. */
export type DemoKeys = z.infer<typeof Keys>;

const keysFile = (dataFolder: string) => join(dataFolder, 'dev-keys.json');

/** The keys that an earlier start has written, if any. */
export function readDemoKeys(dataFolder: string): DemoKeys | undefined {
  return Keys.safeParse(readJson(keysFile(dataFolder))).data;
}

/** Writes `dev-keys.json`, mode 0600, and answers its path. */
export function writeDemoKeys(dataFolder: string, { customer, operator }: DemoKeys): string {
  writePrivately(keysFile(dataFolder), `${JSON.stringify({ customer, operator }, null, 2)}\n`);
  return keysFile(dataFolder);
}

/** Where the secrets of a data folder lie. */
export function secretsFile(dataFolder: string): string {
  return join(dataFolder, 'secrets.json');
}
