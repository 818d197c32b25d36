import type { DynamicModule } from '@nestjs/common';
import { createKey, ensureAccount } from '../../src/engine/accounts/accounts.store.js';
import { KeyRing } from '../../src/engine/accounts/key-ring.process.js';
import { openAdmission } from '../../src/engine/admission/admission.process.js';
import {
  DEFAULT_LIMITS,
  type AdmissionLimits,
} from '../../src/engine/admission/admission-limits.js';
import type { Signals } from '../../src/engine/admission/shedding.js';
import { openDatabase, type Database } from '../../src/engine/database/database.js';
import { createApi, type EngineParts } from '../../src/engine/engine.module.js';
import { FrontDoor, PATIENCE, type Patience } from '../../src/engine/http/front-door.provider.js';
import { ClaimsInFlight } from '../../src/engine/idempotency/claims-in-flight.js';
import type { RecentAnswers } from '../../src/engine/idempotency/recent-answers.js';
import { describeApi } from '../../src/engine/http/openapi.provider.js';
import { followRuns } from '../../src/engine/runs/run-news.process.js';
import type { Sagas } from '../../src/engine/sagas.js';
import { createSealer, type Sealer } from '../../src/engine/sealing/seal.js';
import { UNWATCHED, type ApiMeters } from '../../src/engine/telemetry/meters.js';
import { judgeBy, type Judge } from './held-to-description.js';
import { fakeTemporal, type FakeTemporal } from './fake-temporal.js';
import { bothClocks, ownMemory, TEST_KEYS } from './idempotency-gate.js';
import { keptLog } from './kept-log.js';
import { freshDatabase, type TestDatabase } from './postgres.js';

export const PUBLIC_URL = 'https://api.example.com';
/** Whose pages may ask it. */
export const SHOP = 'https://shop.example.com';

export interface TestApi {
  readonly url: string;
  readonly door: FrontDoor;
  readonly databaseUrl: string;
  readonly database: Database;
  readonly temporal: FakeTemporal;
  readonly log: ReturnType<typeof keptLog>;
  readonly sealer: Sealer;
  /** What it remembers of its answers, to be forgotten by tests that change claims behind it. */
  readonly recent: RecentAnswers;
  /** What it remembers of keys, to be forgotten by tests that revoke one. */
  readonly keyRing: KeyRing;
  readonly keys: Readonly<Record<'customer' | 'operator' | 'stranger', string>>;
  /** Judges an answer by what the API says of itself; found out when it is first asked. */
  readonly judge: Judge;
  /** Closes the API as SIGTERM does, and drops its database. */
  close(): Promise<void>;
}

/** What a test may have otherwise. */
export interface ApiWishes {
  /** A database to use in place of a fresh one. */
  readonly place?: TestDatabase;
  readonly meters?: ApiMeters;
  readonly patience?: Patience;
  /** How long a key is let in without a look. */
  readonly keyLifeMs?: number;
  /** How requests are let in, where it is not as usual. */
  readonly limits?: Partial<AdmissionLimits>;
  /** In place of what the process sees. */
  readonly signals?: Partial<Signals>;
  /** Those of an API that is on the same database. */
  readonly keys?: TestApi['keys'];
}

/**
 * An API of one's own on a port of the system's choice, with a database of its own, a Temporal that
 * is only remembered, the accounts `acme` (a customer's and an operator's key) and `zenith` (the
 * stranger's key).
 */
export async function startApi(
  module: (parts: EngineParts) => DynamicModule,
  sagas: Sagas,
  wishes: ApiWishes = {},
): Promise<TestApi> {
  const { place, meters = UNWATCHED, patience = PATIENCE, keyLifeMs, limits, signals } = wishes;
  const home = place ?? (await freshDatabase());
  const database = openDatabase({
    ...{ url: home.url, name: 'api test', connections: 20 },
    // As an API process does.
    onLost: () => {
      recent.clear();
      keys.clear();
    },
  });
  const log = keptLog();
  const temporal = fakeTemporal();
  const sealer = createSealer(TEST_KEYS);
  const control = openDatabase({ url: home.url, name: 'api test control', connections: 2 });
  const admission = openAdmission({
    ...{ database, control, clocks: bothClocks },
    limits: { ...DEFAULT_LIMITS, ...limits },
    signals: signals ?? {},
  });
  const said = { publicUrl: PUBLIC_URL, origins: [SHOP], log, meters };
  const door = new FrontDoor({ ...said, patience, admission });
  const news = followRuns(database);
  const recent = ownMemory();
  const inFlight = new ClaimsInFlight();
  const keys = new KeyRing(control, bothClocks, keyLifeMs);
  const own = {
    ...{ door, keys, admission, control },
    database,
    temporal,
    sagas,
    sealer,
    recent,
    inFlight,
    news,
    log,
    meters,
  };
  const parts = { ...own, lookAfterMs: 60_000 };
  const api = await createApi(module({ ...parts, temporalLink: (run) => `ui:${run}` }), door);
  await api.listen(0, '127.0.0.1');
  let judge: Judge | undefined;
  return {
    url: await api.getUrl(),
    door,
    databaseUrl: home.url,
    database,
    temporal,
    log,
    sealer,
    recent,
    keyRing: keys,
    keys: wishes.keys ?? (await makeKeys(database)),
    judge: (answer) => (judge ??= judgeBy(describeApi(api, door.publicUrl)))(answer),
    async close() {
      await api.close();
      admission.close();
      keys.close();
      await Promise.all([database.end(), control.end()]);
      await home.drop();
    },
  };
}

async function makeKeys(database: Database): Promise<TestApi['keys']> {
  await ensureAccount(database, { id: 'acme', name: 'Acme' });
  await ensureAccount(database, { id: 'zenith', name: 'Zenith' });
  const key = async (account: string, role: 'customer' | 'operator') =>
    (await createKey(database, { account, role })).key;
  return {
    customer: await key('acme', 'customer'),
    operator: await key('acme', 'operator'),
    stranger: await key('zenith', 'customer'),
  };
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The bytes as they came. */
  readonly text: string;
  // Tests look into answers of every shape.
  readonly body: any;
}

export interface Ask {
  readonly method?: string;
  /** An API key; null: none. */
  readonly as?: string | null;
  /** The Idempotency-Key. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A value to send as JSON, or text or bytes to send as they are. */
  readonly body?: unknown;
}

/**
 * Asks an API over real HTTP and reads the whole answer. Throws when its own description does not
 * allow that answer, in status, headers, type or body: then describe it.
 */
export async function ask(api: TestApi, path: string, question: Ask = {}): Promise<Reply> {
  const { as = api.keys.customer, key, body } = question;
  const method = question.method ?? (body === undefined && key === undefined ? 'GET' : 'POST');
  const asIs = typeof body === 'string' || body instanceof Uint8Array || body === undefined;
  const response = await fetch(`${api.url}${path}`, {
    method,
    headers: {
      ...(as === null ? {} : { authorization: `Bearer ${as}` }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...question.headers,
    },
    ...(body === undefined ? {} : { body: asIs ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const { status, headers } = response;
  const faults = api.judge({ method, path, status, headers, text });
  if (faults.length > 0) {
    throw new Error(`${method} ${path}: the answer ${status} ${faults.join('; and ')}`);
  }
  const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : null,
  };
}
