import type { Database } from '../database/database.js';
import { isAlive, type Moment } from '../moment.js';
import type { Caller } from './accounts.store.js';
import { givenKey, isSameHash, type GivenKey } from './api-key.js';
import { endedKeys, findByHash, noteUse } from './key-use.store.js';

/**
 * For so long a key that was found valid is let in without a look, and as often those of open
 * streams are looked at: a revoked key is out everywhere within 20 s and a moment.
 */
export const KEY_LIFE_MS = 20_000;
/** Some megabytes. Who comes beyond them makes the one forgotten that was found first. */
const MOST_KEYS = 10_000;

interface Known {
  readonly hash: Buffer;
  readonly caller: Caller;
  readonly asOf: Moment;
  readonly lifeMs: number;
}

/** Somebody who is served for longer than a request, by a key. */
export interface Stay {
  /** Aborted when the key is not valid any more. */
  readonly ended: AbortSignal;
  leave(): void;
}

/**
 * Lets callers in by their keys. What the database has said of a valid key is remembered for 20 s,
 * not beyond its end; that a key is none is not remembered. It is cleared when a connection is
 * lost, because an older copy may take the database's place.
 */
export class KeyRing {
  /** By the id of the key, in the order in which they were found. */
  readonly #known = new Map<string, Known>();
  readonly #asked = new Map<string, Promise<Caller | null>>();
  readonly #stays = new Map<string, Set<AbortController>>();
  #used = new Set<string>();
  #since = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    /** Both clocks of this process now. */
    private readonly now: () => Moment,
    private readonly everyMs = KEY_LIFE_MS,
  ) {}

  /** Whose key this is; null when it is none, or none any more. Throws what the database throws. */
  async callerOf(key: string): Promise<Caller | null> {
    const given = givenKey(key);
    if (given === null) return null;
    const caller = this.#find(given) ?? (await this.#ask(given));
    if (caller !== null) this.#note(caller.keyId);
    return caller;
  }

  /** Says when a key is over, for who stays longer than a request. */
  stay(keyId: string): Stay {
    const over = new AbortController();
    const stays = this.#stays.get(keyId) ?? new Set();
    this.#stays.set(keyId, stays.add(over));
    this.#lookLater();
    return {
      ended: over.signal,
      leave: () => {
        stays.delete(over);
        if (stays.size === 0 && this.#stays.get(keyId) === stays) this.#stays.delete(keyId);
      },
    };
  }

  /** Forgets all of it, and whatever the database was asked before now. */
  clear(): void {
    this.#since = this.now().monotonicMs;
    this.#known.clear();
  }

  /** Looks no more. That keys were used within the last 20 s may be forgotten. */
  close(): void {
    clearTimeout(this.#timer);
  }

  #find({ id, hash }: GivenKey): Caller | null {
    const known = this.#known.get(id);
    if (known === undefined || !isSameHash(known.hash, hash)) return null;
    if (isAlive(known, this.now())) return known.caller;
    this.#known.delete(id);
    return null;
  }

  /** Many that come with one key at once are one look. */
  #ask(given: GivenKey): Promise<Caller | null> {
    const name = `${given.id}:${given.hash.toString('hex')}`;
    const asked = this.#asked.get(name) ?? this.#look(given);
    this.#asked.set(name, asked);
    return asked.finally(() => this.#asked.delete(name));
  }

  async #look({ id, hash }: GivenKey): Promise<Caller | null> {
    const asOf = this.now();
    const found = await findByHash(this.database, { id, hash });
    if (found === null) return null;
    const { caller, leftMs } = found;
    if (asOf.monotonicMs <= this.#since) return caller;
    this.#known.delete(id);
    this.#known.set(id, { hash, caller, asOf, lifeMs: Math.min(this.everyMs, leftMs) });
    const [first] = this.#known.keys();
    if (this.#known.size > MOST_KEYS && first !== undefined) this.#known.delete(first);
    return caller;
  }

  #note(keyId: string): void {
    this.#used.add(keyId);
    this.#lookLater();
  }

  #lookLater(): void {
    this.#timer ??= setTimeout(() => void this.#lookAtAll(), this.everyMs).unref();
  }

  async #lookAtAll(): Promise<void> {
    const used = this.#used;
    this.#used = new Set();
    const watched = [...this.#stays.keys()];
    // While the database is away nobody can revoke a key, and nothing is lost but a time of use.
    if (watched.length > 0) {
      const ended = await endedKeys(this.database, watched).catch(() => []);
      ended.forEach((id) => this.#end(id));
    }
    if (used.size > 0) await noteUse(this.database, [...used]).catch(() => undefined);
    this.#timer = undefined;
    if (this.#stays.size > 0 || this.#used.size > 0) this.#lookLater();
  }

  #end(keyId: string): void {
    this.#known.delete(keyId);
    const stays = [...(this.#stays.get(keyId) ?? [])];
    this.#stays.delete(keyId);
    stays.forEach((over) => over.abort());
  }
}
