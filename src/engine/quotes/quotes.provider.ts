import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../accounts/accounts.store.js';
import type { Tx } from '../database/database.js';
import { readerOf } from '../database/in-account.store.js';
import { ENGINE, type EngineParts } from '../engine.tokens.js';
import type { Answer } from '../http/answer.js';
import { Problem } from '../http/problem.js';
import { idempotently, type Claim, type Effect } from '../idempotency/claims.store.js';
import { newSecret } from '../ids.js';
import { ticksOf } from '../journal/run-record.js';
import { openRun } from '../journal/run-record.store.js';
import { cancelOpenRun } from '../runs/cancel-run.store.js';
import { readRun, type RunSnapshot } from '../runs/read-runs.store.js';
import type { CancelAnswer } from '../saga/cancel.js';
import { cancelOutlook, comesToTheSame, type Quoted } from '../saga/cancel-outlook.js';
import type { CancelRefusal } from '../saga/journal.js';
import { askWhatACancelComesTo } from './ask-providers.process.js';
import { addQuote, readQuote, takeToken, type NewQuote, type Quote } from './quotes.store.js';

/** Which quote is confirmed, and by what. */
export interface Confirming {
  readonly id: string;
  readonly token: string;
}

/** What a domain does with quotes of cancels: what one would come to, told before it is done. */
@Injectable()
export class Quotes {
  constructor(@Inject(ENGINE) private readonly engine: EngineParts) {}

  /**
   * What a cancel of a run would come to, by its record and its providers. Changes nothing. Throws
   * what `refuse` throws; Problem: unavailable where a provider does not answer clearly.
   */
  ask(
    run: string,
    refuse: (refusal: CancelRefusal) => never,
    signal: AbortSignal,
  ): Promise<Quoted> {
    return askWhatACancelComesTo(this.engine, run, refuse, signal);
  }

  /** A new secret of 256 bits, for one quote. */
  newToken(): string {
    return newSecret();
  }

  /** Keeps a quote, and of its token the hash, in the transaction of its answer. */
  offer(tx: Tx, quote: NewQuote): Promise<Quote> {
    return addQuote(tx, this.engine.sealer, quote);
  }

  /** A quote of this account. Throws Problem: not-found. */
  async find(account: string, id: string): Promise<Quote> {
    const reader = readerOf(this.engine.database, account);
    const quote = await readQuote(reader, this.engine.sealer, { account, id });
    if (quote === null) throw new Problem('not-found');
    return quote;
  }

  /**
   * Cancels the run of a quote, for a claim: the token goes, the cancel is accepted and the answer
   * is kept in one transaction, so a crash leaves all or nothing, and a refusal leaves the token.
   * `present` turns what came of it into the answer; what it throws rolls everything back. Throws
   * Problem: not-found for every token that is none; changed-since-you-looked where the cancel
   * would come to something else than was quoted; in-progress, key-reused.
   */
  async confirm(
    claim: Claim,
    caller: Caller,
    { id, token }: Confirming,
    present: (answer: CancelAnswer, run: RunSnapshot) => Effect,
  ): Promise<Answer> {
    const { sealer, sagas } = this.engine;
    const { account, keyId, role: by } = caller;
    const { answer } = await idempotently(this.engine, claim, async (tx) => {
      const quote = await takeToken(tx, sealer, { account, id, token });
      if (quote === null) throw new Problem('not-found');
      const record = await openRun(tx, sagas, quote.run);
      const who = `${account}/${keyId}`;
      const reason = `confirmed ${quote.id}`;
      const cancelled = await cancelOpenRun(tx, record, { by, who, reason });
      const run = await readRun(tx, sealer, { id: quote.run, account });
      if (run === null) throw new Problem('not-found');
      const effect = present(cancelled.answer, run);
      const outlook = cancelOutlook(record.state, ticksOf(record));
      if (comesToTheSame(quote.comesTo, outlook)) return effect;
      throw new Problem('changed-since-you-looked', { detail: CHANGED });
    });
    return answer;
  }
}

const CHANGED =
  'The booking has gone on since it was quoted, and a cancel would come to something else. ' +
  'Nothing was done: ask for a new quote.';
