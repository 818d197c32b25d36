import type { Queryable } from '../database/database.js';
import type { EventPlace } from '../http/cursor.js';
import type { BookingStatus, Failure } from '../saga/run-view.js';
import { eventId, type ToldEvent } from './event.js';

interface EventRow extends EventPlace {
  readonly run: string;
  readonly seq: number;
  readonly reference: string | null;
  readonly status: BookingStatus;
  readonly failure: Failure | null;
  readonly at: Date;
}

export interface EventPage {
  readonly events: readonly ToldEvent[];
  /** Where the last of them stands, or the page before it when there is none. */
  readonly next: EventPlace | null;
  readonly hasMore: boolean;
}

/**
 * A page of what happened to an account's runs of one saga, the first one first. An event is shown
 * once no transaction that is still open can write one that stands before it: so who goes on from
 * `next` sees each event once, whatever commits in which order, and a long transaction of whomever
 * delays what comes after it.
 */
export async function listEvents(
  database: Queryable,
  filter: { readonly account: string; readonly saga: string },
  page: { readonly after: EventPlace | null; readonly limit: number },
): Promise<EventPage> {
  const { xid, position } = page.after ?? { xid: '0', position: '0' };
  const { rows } = await database.query<EventRow>(
    `select page.xid::text, page.position::text, page.run, page.seq, runs.reference,
            page.status, page.failure, page.created_at as at
     from (select * from events
           where account = $1::text and saga = $2::text
             and (xid, position) > ($3::text::xid8, $4::bigint)
             and xid < pg_snapshot_xmin(pg_current_snapshot())
           order by xid, position limit $5::integer + 1) as page
     join runs on runs.id = page.run
     order by page.xid, page.position`,
    [filter.account, filter.saga, xid, position, page.limit],
  );
  const kept = rows.slice(0, page.limit);
  const last = kept.at(-1);
  return {
    events: kept.map(tell),
    next: last === undefined ? page.after : { xid: last.xid, position: last.position },
    hasMore: rows.length > kept.length,
  };
}

function tell({ run, seq, reference, status, failure, at }: EventRow): ToldEvent {
  const kind = seq === 1 ? 'accepted' : 'status';
  return { id: eventId(run, seq, null), run, reference, kind, status, failure, step: null, at };
}
