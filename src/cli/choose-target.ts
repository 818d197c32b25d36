import type { CliConfig } from '../config.js';
import { CliFailure } from './cli-failure.js';
import type { LocalStart } from './local-start.process.js';

/** The API that is asked, and as whom. */
export interface ApiTarget {
  readonly url: string;
  readonly key: string;
}

/** Where `npm start` puts the API unless it is told otherwise. */
const DEFAULT_URL = 'http://127.0.0.1:3000';
const THIS_MACHINE = /^(localhost|127\.\d+\.\d+\.\d+|\[::1?\]|0\.0\.0\.0)$/;

/**
 * What is found of a local start; looked for only where something is not named, so that a folder
 * whose configuration is wrong keeps nobody from an API elsewhere.
 */
type FindLocal = () => LocalStart;

/**
 * The API of RECOURSE_URL, else that of the local start; with RECOURSE_KEY, else, and only on this
 * machine, the operator's key of the local start. Throws CliFailure when there is no key.
 */
export function chooseApi(config: CliConfig, findLocal: FindLocal): ApiTarget {
  if (config.url !== null && config.key !== null) return { url: config.url, key: config.key };
  const local = findLocal();
  const url = config.url ?? local.apiUrl ?? DEFAULT_URL;
  if (config.key !== null) return { url, key: config.key };
  const keys = 'an operator’s key (npx recourse keys create --role operator …)';
  if (!THIS_MACHINE.test(new URL(url).hostname)) {
    throw new CliFailure(`RECOURSE_KEY is not set: ${url} asks for ${keys}`);
  }
  if (local.operatorKey !== null) return { url, key: local.operatorKey };
  throw new CliFailure(
    `RECOURSE_KEY is not set, and ${local.folder}/dev-keys.json cannot be read: ` +
      `start everything with npm start, or set RECOURSE_KEY to ${keys}`,
  );
}

/**
 * The database of DATABASE_URL, else the Postgres of the local start. Throws CliFailure when
 * neither is there.
 */
export function chooseDatabase(config: CliConfig, findLocal: FindLocal): string {
  if (config.databaseUrl !== null) return config.databaseUrl;
  const local = findLocal();
  if (local.databaseUrl !== null) return local.databaseUrl;
  throw new CliFailure(
    `no database is named, and no Postgres of a local start runs on ${local.folder}: ` +
      'set DATABASE_URL, give --database-url, or start everything with npm start',
  );
}
