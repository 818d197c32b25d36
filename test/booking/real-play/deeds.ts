import { setTimeout as pause } from 'node:timers/promises';
import type { VerdictLine } from '../../../src/engine/saga/journal.js';
import type { Interference } from '../../../src/engine/testing/interferences.js';
import { pollUntil } from '../../../src/local/poll-until.process.js';
import { Visitor } from '../../support/customer.js';
import type { House } from '../../support/house.js';
import { referenceOf } from './cues.js';

const LIMIT = { limitMs: 30_000, everyMs: 100 };
/** More than a key is known for, as the explorer has it. */
const A_DAY_MS = 25 * 3_600_000;
const A_MOMENT_MS = 5_000;

/** What a test does to runs of a house, from outside. Each throws when it cannot be done. */
export class Deeds {
  readonly #visitor: Visitor;

  constructor(readonly house: House) {
    this.#visitor = new Visitor(house);
  }

  /** Lets the messages of runs be held back: the next one of a run that stands in `held_news`. */
  async prepare(): Promise<void> {
    const { db } = this.house;
    await db.query('create table held_news (run text primary key)');
    await db.query('grant select, delete on held_news to recourse_customer');
    await db.query(
      `create function hold_news() returns trigger language plpgsql as $$
       begin
         delete from held_news where run = new.run;
         if found then new.next_at := now() + interval '1 hour'; end if;
         return new;
       end $$`,
    );
    await db.query(
      `create trigger hold_news before insert on outbox for each row
       when (new.kind <> 'start') execute function hold_news()`,
    );
  }

  async holdNews(run: string): Promise<void> {
    await this.house.db.query('insert into held_news values ($1) on conflict do nothing', [run]);
  }

  async freeNews(run: string): Promise<void> {
    const { rowCount } = await this.house.db.query(
      `update outbox set next_at = now()
       where run = $1 and sent_at is null and next_at > now() + interval '10 minutes'`,
      [run],
    );
    if (rowCount !== 1) throw new Error(`${rowCount} news of ${run} had been held`);
  }

  async cancel(run: string, answer: string): Promise<void> {
    const { status, body } = await this.#visitor.cancel(run);
    const expected = answer === 'accepted' || answer === 'unchanged' ? 202 : 409;
    const isAsExpected = status === expected && (status === 202 || body.code === answer);
    if (!isAsExpected) throw new Error(`a cancel was answered ${status} ${body.code}`);
  }

  /** Acts as an operator, as soon as that is taken. */
  async act(run: string, action: 'retry-now' | 'abandon'): Promise<void> {
    let last: unknown;
    const isDone = async (): Promise<boolean> => {
      const wish = { action, reason: 'the provider was called' };
      const reply = await this.#visitor.post(
        `/v1/runs/${run}/actions`,
        wish,
        undefined,
        'operator',
      );
      last = reply.body;
      return reply.status === 200;
    };
    if (await pollUntil(isDone, LIMIT)) return;
    throw new Error(`${action} was not taken: ${JSON.stringify(last)}`);
  }

  /**
   * The driver loses its memory: its execution is terminated, and the sweep, told that the run has
   * been silent for long enough, starts it again. Answers the execution that is over.
   */
  async startAnew(run: string): Promise<string> {
    const handle = this.house.temporal.client.workflow.getHandle(run);
    const current = () => handle.describe().catch(() => null);
    const before = await pollUntil(async () => (await current()) ?? undefined, LIMIT);
    if (before === undefined) throw new Error(`${run} has no execution`);
    await handle.terminate('the driver starts anew');
    const isThere = async (): Promise<boolean> => {
      await this.house.db.query(
        `update runs set look_at = now() where id = $1 and ended_at is null`,
        [run],
      );
      return ((await current())?.runId ?? before.runId) !== before.runId;
    };
    if (await pollUntil(isThere, { ...LIMIT, everyMs: 1_500 })) return before.runId;
    throw new Error(`${run} was not started again`);
  }

  /** Resolves once another execution than this has taken the run. */
  async takenOver(run: string, from: string): Promise<void> {
    const isTaken = async (): Promise<boolean> => {
      const { rows } = await this.house.db.query<{ execution: string | null }>(
        'select execution from runs where id = $1',
        [run],
      );
      return rows[0]?.execution !== from;
    };
    await pollUntil(isTaken, LIMIT);
  }

  /**
   * All of ours stood still: every time that is on record of the run is moved into the past by as
   * much as the clock would have gone on meanwhile. A process remembers the times of a run until
   * somebody else has taken it; so nobody has, and whoever comes reads it anew.
   */
  async standStill(run: string, what: Interference, untilDeadlineMs: number): Promise<void> {
    const ms = what === 'all stands still for a day' ? A_DAY_MS : untilDeadlineMs;
    const { db } = this.house;
    const back = (column: string) =>
      `${column} = ${column} - $2::bigint * interval '1 millisecond'`;
    await db.query(
      `update runs set deadline_at =
         least(deadline_at - $2::bigint * interval '1 millisecond', clock_timestamp()),
         execution = null
       where id = $1`,
      [run, ms],
    );
    // Patience ends when the deadline does, but for the moments that a run has taken until then.
    const almost = Math.max(0, ms - A_MOMENT_MS);
    const attempts = `update attempts set ${back('began_at')}, ${back('send_by')}`;
    await db.query(`${attempts} where run = $1`, [run, almost]);
    const keys = `update step_keys set ${back('first_sent_at')}, ${back('asked_at')}`;
    await db.query(`${keys} where run = $1`, [run, almost]);
  }

  /** The provider has been silent for longer than anybody has patience. */
  async haveAskedFor(run: string, step: string, direction: string, ms: number): Promise<void> {
    await this.house.db.query(
      `update step_keys set asked_at = asked_at - $4::integer * interval '1 millisecond'
       where run = $1 and step = $2 and direction = $3`,
      [run, step, direction, ms],
    );
  }

  /** There is another seat under the key, that somebody else has put there. */
  async putAnotherSeat(run: string): Promise<void> {
    const reference = referenceOf(run, 'flight:do');
    const response = await fetch(`${this.house.sandbox.providers.flights}/orders`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Idempotency-Key': reference,
        'Recourse-Deadline': '2100-01-01T00:00:00Z',
      },
      body: JSON.stringify({ offer: 'BLR-LHR-0417', traveller: 'somebody else', reference }),
    });
    if (response.status !== 201) throw new Error(`another seat: ${response.status}`);
  }

  /** Decides a case, after a look at the provider's own record. */
  async decide(run: string, caseId: string, { step, direction, verdict }: VerdictLine) {
    const isForward = verdict === 'happened' && direction === 'do';
    const value = isForward ? { value: await this.#valueOf(run, step) } : {};
    for (let tries = 1; ; tries += 1) {
      const seen = await this.#visitor.get(`/v1/cases/${caseId}`, 'operator');
      const etag = seen.headers.get('etag') ?? '';
      const reply = await this.#visitor.decide({ id: caseId, etag }, { verdict, ...value });
      if (reply.status === 200) return;
      if (tries > 20) throw new Error(`${verdict} was answered ${JSON.stringify(reply.body)}`);
      // A case changes while the run does: what was decided is then looked at again.
      await pause(100);
    }
  }

  async #valueOf(run: string, step: string): Promise<Record<string, unknown>> {
    const reference = referenceOf(run, `${step}:do`);
    // A person looks again until what is still on its way has come.
    const effect = await pollUntil(async () => {
      const effects = await this.house.sandbox.effects(reference);
      return effects.find((one) => one.reference === reference);
    }, LIMIT);
    return step === 'ticket' ? { ticket: effect?.ticket } : { id: effect?.id };
  }
}
