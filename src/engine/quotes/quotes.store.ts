import { theRow, type Queryable, type Tx } from '../database/database.js';
import { newId } from '../ids.js';
import type { Quoted } from '../saga/cancel-outlook.js';
import type { Sealer } from '../sealing/seal.js';
import { tokenHash } from './quote-token.js';

/** What is offered to an account about one of its runs, and the secret that takes it. */
export interface NewQuote {
  readonly account: string;
  readonly run: string;
  /** What a cancel comes to; names only. */
  readonly comesTo: Quoted;
  /** What the domain makes of it, such as what is given back; JSON, kept sealed. */
  readonly terms: unknown;
  readonly token: string;
  /** For how long it can be taken, in milliseconds. */
  readonly openMs: number;
}

/** A quote as it stands now, by the database's clock. */
export interface Quote {
  readonly id: string;
  readonly run: string;
  readonly state: 'quoted' | 'confirmed' | 'expired';
  readonly comesTo: Quoted;
  readonly terms: unknown;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

interface Row {
  readonly id: string;
  readonly run: string;
  readonly state: Quote['state'];
  readonly comes_to: Quoted;
  readonly terms: Buffer;
  readonly created_at: Date;
  readonly expires_at: Date;
}

const COLUMNS = `quotes.id, quotes.run, quotes.comes_to, quotes.terms, quotes.created_at,
  quotes.expires_at,
  case when quotes.confirmed_at is not null then 'confirmed'
       when quotes.expires_at <= clock_timestamp() then 'expired' else 'quoted' end as state`;

/** Keeps a quote and the hash of its token, with everything else of the transaction. */
export async function addQuote(tx: Tx, sealer: Sealer, quote: NewQuote): Promise<Quote> {
  const id = newId('quote');
  const { rows } = await tx.query<Row>(
    `with quotes as (
       insert into quotes (id, account, run, comes_to, terms, created_at, expires_at)
       values ($1::text, $2::text, $3::text, $4::jsonb, $5::bytea,
               date_trunc('milliseconds', now()),
               date_trunc('milliseconds', now()) + $6::integer * interval '1 millisecond')
       returning *),
     token as (
       insert into tokens (hash, account, about, expires_at)
       select $7::bytea, account, id, expires_at from quotes)
     select ${COLUMNS} from quotes`,
    [
      id,
      quote.account,
      quote.run,
      JSON.stringify(quote.comesTo),
      sealer.seal(quote.terms, termsPlace(id)),
      quote.openMs,
      tokenHash(quote.token),
    ],
  );
  return quoteOf(sealer, theRow(rows));
}

/** A quote of this account; null: there is none, or it is another's. Throws CannotOpen. */
export async function readQuote(
  database: Queryable,
  sealer: Sealer,
  { account, id }: { readonly account: string; readonly id: string },
): Promise<Quote | null> {
  const { rows } = await database.query<Row>(
    `select ${COLUMNS} from quotes where id = $1::text and account = $2::text`,
    [id, account],
  );
  const [row] = rows;
  return row === undefined ? null : quoteOf(sealer, row);
}

/**
 * Takes a token: it is gone, and its quote is confirmed, when this transaction commits, and both
 * are as they were when it is rolled back. Of many at once one gets it, the others wait for that
 * one and get null, as for a token that is wrong, over, taken, of another quote or another account.
 */
export async function takeToken(
  tx: Tx,
  sealer: Sealer,
  given: { readonly account: string; readonly id: string; readonly token: string },
): Promise<Quote | null> {
  const { rows } = await tx.query<Row>(
    `with taken as (
       delete from tokens
       where hash = $1::bytea and account = $2::text and about = $3::text
         and expires_at > clock_timestamp()
       returning about)
     update quotes set confirmed_at = clock_timestamp()
     from taken where quotes.id = taken.about and quotes.account = $2::text
     returning ${COLUMNS}`,
    [tokenHash(given.token), given.account, given.id],
  );
  const [row] = rows;
  return row === undefined ? null : quoteOf(sealer, row);
}

/**
 * Deletes tokens that are over, and quotes that have been over for `keptMs`, the oldest first, and
 * answers how many at most of each. A batch a call; safe to run by many at once.
 */
export async function deleteOverQuotes(
  database: Queryable,
  keptMs: number,
  batch: number,
): Promise<number> {
  const tokens = await database.query(
    `delete from tokens
     where hash in (
       select hash from tokens where expires_at <= now()
       order by expires_at limit $1::integer for update skip locked)`,
    [batch],
  );
  const quotes = await database.query(
    `delete from quotes
     where id in (
       select id from quotes where expires_at <= now() - $1::bigint * interval '1 millisecond'
       order by expires_at limit $2::integer for update skip locked)`,
    [keptMs, batch],
  );
  return Math.max(tokens.rowCount ?? 0, quotes.rowCount ?? 0);
}

function quoteOf(sealer: Sealer, row: Row): Quote {
  return {
    id: row.id,
    run: row.run,
    state: row.state,
    comesTo: row.comes_to,
    terms: sealer.open(row.terms, termsPlace(row.id)),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

const termsPlace = (id: string): string => `quote:${id}:terms`;
