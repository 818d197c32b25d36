import type { Database, Tx } from '../database/database.js';
import { inAccount } from '../database/in-account.store.js';
import { jsonBytes, type Answer } from '../http/answer.js';
import { Problem } from '../http/problem.js';
import type { Sealer } from '../sealing/seal.js';
import { CLAIM_WINDOW_HOURS } from './claim-days.store.js';
import { claimId } from './claim-id.js';
import type { Claim } from './claim.js';
import { decideClaim } from './decide-claim.js';
import { findHere, inProgress, type GateParts } from './gate.js';
import { lockKey, readHeldClaim, saveAnswers } from './held-claim.store.js';
import type { PhasedHandler } from './phases.js';
import type { Moment } from './recent-answers.js';
import { answerOf, headOf, openBody, sealBody, type Effect } from './stored-answer.js';

/** The right to go on with a claim, from a recovery point, until it is taken by another. */
export interface Lease {
  readonly id: string;
  readonly account: string;
  readonly fingerprint: Buffer;
  readonly handler: string;
  readonly point: string;
  readonly state: unknown;
  readonly epoch: string;
  /** How often it was gone on with and failed. */
  readonly tries: number;
  /** A moment before it was granted: it is over at the latest `leaseMs` after this. */
  readonly asOf: Moment;
}

/** Thrown when a claim is somebody else's by now, or over: whoever held it must stop. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor() {
    super('somebody else goes on with this claim');
  }
}

type Opened = { readonly replay: Answer } | { readonly lease: Lease };

/**
 * Claims a key for a handler in phases, in a short transaction of its own: from its commit on the
 * work is done to its end, whatever dies. Answers the lease to begin with, or that of a dead winner
 * to go on with, or the replay of what was answered. Throws Problem: key-reused, also while it is
 * being worked on; in-progress with what is left of the lease; ClaimDaysMissing.
 */
export async function claimPhases<Input>(
  gate: GateParts,
  claim: Claim,
  handler: PhasedHandler<Input>,
  input: Input,
): Promise<Opened> {
  const known = findHere(gate, claim);
  // Nothing is awaited between the look and the hold: whoever comes next finds it.
  if (known === undefined) {
    return gate.inFlight.hold(claim, async (tell) => {
      const opened = await openClaim(gate, claim, handler, input);
      tell('replay' in opened ? opened.replay : null);
      return opened;
    });
  }
  const found = await known;
  if (found === null) throw inProgress(handler.leaseMs);
  return { replay: found };
}

function openClaim<Input>(
  gate: GateParts,
  claim: Claim,
  handler: PhasedHandler<Input>,
  input: Input,
): Promise<Opened> {
  const asOf = gate.recent.now();
  const id = claimId(claim);
  return inAccount(gate.database, claim.account, async (tx): Promise<Opened> => {
    if (!(await lockKey(tx, id))) throw inProgress();
    const held = await readHeldClaim(tx, id);
    if (held === null) {
      return { lease: await begin(tx, gate, { ...claim, id, asOf }, handler, input) };
    }
    if (held.kind === 'answered' && held.fingerprint.equals(claim.fingerprint)) {
      const replay = answerOf(held.stored, openBody(gate.sealer, id, held.stored.body), true);
      gate.recent.keep(claim, replay, asOf, held.leftMs);
      return { replay };
    }
    const decision = decideClaim(held, claim.fingerprint);
    if (decision === 'mismatch') throw new Problem('key-reused');
    const lease = decision === 'resume' ? await takeOver(tx, gate, { id, asOf }, handler) : null;
    if (lease === null) throw inProgress(held.kind === 'at-work' ? held.leaseMs : 0);
    return { lease };
  });
}

interface WorkRow extends Omit<Lease, 'state' | 'asOf'> {
  readonly state: Buffer;
}

const COLUMNS = 'id, account, fingerprint, handler, point, state, epoch, tries';

async function begin<Input>(
  tx: Tx,
  { sealer }: GateParts,
  { id, account, fingerprint, asOf }: Claim & Pick<Lease, 'id' | 'asOf'>,
  { name, leaseMs, phases }: PhasedHandler<Input>,
  input: Input,
): Promise<Lease> {
  const { rows } = await tx.query<WorkRow>(
    `insert into claims_at_work (id, account, fingerprint, handler, point, state, lease_until,
                                 expires_at)
     values ($1::uuid, $2::text, $3::bytea, $4::text, $5::text, $6::bytea,
             now() + $7::integer * interval '1 millisecond',
             date_trunc('milliseconds', now() + interval '${CLAIM_WINDOW_HOURS} hours'))
     returning ${COLUMNS}`,
    [
      id,
      account,
      fingerprint,
      name,
      phases.all[0].name,
      sealer.seal(input ?? null, placeOf(id)),
      leaseMs,
    ],
  );
  return leaseOf(sealer, rows[0], asOf);
}

/** Null: somebody else was quicker, or it is another handler's. */
async function takeOver(
  tx: Tx,
  { sealer }: GateParts,
  { id, asOf }: Pick<Lease, 'id' | 'asOf'>,
  { name, leaseMs }: Pick<PhasedHandler<never>, 'name' | 'leaseMs'>,
): Promise<Lease | null> {
  const { rows } = await tx.query<WorkRow>(
    `update claims_at_work
     set epoch = nextval('claim_epochs'),
         lease_until = now() + $3::integer * interval '1 millisecond'
     where id = $1::uuid and handler = $2::text and lease_until <= now()
     returning ${COLUMNS}`,
    [id, name, leaseMs],
  );
  return rows.length === 0 ? null : leaseOf(sealer, rows[0], asOf);
}

/**
 * Takes over claims of these handlers whose lease is over, the longest first, at most `most`. Safe
 * to run by many at once: each claim goes to one of them.
 */
export async function takeLapsed(
  { database, sealer, recent }: GateParts,
  handlers: readonly Pick<PhasedHandler<never>, 'name' | 'leaseMs'>[],
  most: number,
): Promise<readonly Lease[]> {
  const asOf = recent.now();
  const { rows } = await database.query<WorkRow>(
    `update claims_at_work
     set epoch = nextval('claim_epochs'), lease_until = now() + lapsed.lease
     from (
       select id, handlers.lease from claims_at_work
       join (select unnest($1::text[]) as name,
               unnest($2::integer[]) * interval '1 millisecond' as lease) as handlers
         on handlers.name = handler
       where lease_until <= now()
       order by lease_until limit $3::integer
       for update of claims_at_work skip locked) as lapsed
     where claims_at_work.id = lapsed.id
     returning claims_at_work.*`,
    [handlers.map(({ name }) => name), handlers.map(({ leaseMs }) => leaseMs), most],
  );
  return rows.map((row) => leaseOf(sealer, row, asOf));
}

/**
 * Has a phase write its effects and the recovery point after it, as one. Throws LeaseLost, with
 * nothing changed, when another has taken the claim.
 */
export function advance(
  gate: GateParts,
  lease: Lease,
  to: { readonly point: string; readonly leaseMs: number },
  write: (tx: Tx) => Promise<unknown>,
): Promise<Lease> {
  const asOf = gate.recent.now();
  return inAccount(gate.database, lease.account, async (tx) => {
    await holdLease(tx, lease);
    const state = await write(tx);
    const { rows } = await tx.query<WorkRow>(
      `update claims_at_work
       set point = $3::text, state = $4::bytea, tries = 0,
           lease_until = now() + $5::integer * interval '1 millisecond'
       where id = $1::uuid and epoch = $2::bigint
       returning ${COLUMNS}`,
      [
        lease.id,
        lease.epoch,
        to.point,
        gate.sealer.seal(state ?? null, placeOf(lease.id)),
        to.leaseMs,
      ],
    );
    return leaseOf(gate.sealer, rows[0], asOf);
  });
}

/**
 * Has the last phase write its effects and the answer, as one, and answers it. Where the key has
 * been over for a while the answer is not kept any more. Throws LeaseLost as `advance` does.
 */
export function finish(
  gate: GateParts,
  lease: Lease,
  write: (tx: Tx) => Promise<Effect>,
): Promise<Answer> {
  return inAccount(gate.database, lease.account, async (tx) => {
    const { expiresAt, isOver } = await holdLease(tx, lease);
    const effect = await write(tx);
    const bytes = jsonBytes(effect.body);
    const body = sealBody(gate.sealer, lease.id, bytes);
    await tx.query(`delete from claims_at_work where id = $1::uuid and epoch = $2::bigint`, [
      lease.id,
      lease.epoch,
    ]);
    const finished = { ...lease, ...headOf(effect), body, expires_at: expiresAt };
    if (!isOver) await saveAnswers(tx, [finished]);
    return answerOf(finished, bytes, false);
  });
}

async function holdLease(tx: Tx, { id, epoch }: Lease) {
  const { rows } = await tx.query<{ expires_at: Date; is_over: boolean }>(
    `select expires_at, expires_at <= now() as is_over from claims_at_work
     where id = $1::uuid and epoch = $2::bigint
     for update`,
    [id, epoch],
  );
  const [row] = rows;
  if (row === undefined) throw new LeaseLost();
  return { expiresAt: row.expires_at, isOver: row.is_over };
}

/** Frees the key of a request that is refused. Throws LeaseLost when it is another's by now. */
export async function release(database: Database, { id, epoch }: Lease): Promise<void> {
  const { rowCount } = await database.query(
    `delete from claims_at_work where id = $1::uuid and epoch = $2::bigint`,
    [id, epoch],
  );
  if (rowCount !== 1) throw new LeaseLost();
}

/** Leaves a claim that failed to whoever comes after `waitMs`, unless it is another's by now. */
export async function postpone(
  database: Database,
  { id, epoch }: Lease,
  waitMs: number,
): Promise<void> {
  await database.query(
    `update claims_at_work
     set lease_until = now() + $3::integer * interval '1 millisecond', tries = tries + 1
     where id = $1::uuid and epoch = $2::bigint`,
    [id, epoch, waitMs],
  );
}

function leaseOf(sealer: Sealer, row: WorkRow | undefined, asOf: Moment): Lease {
  if (row === undefined) throw new LeaseLost();
  const { id, account, fingerprint, handler, point, epoch, tries } = row;
  const known = { id, account, fingerprint, handler, point, epoch, tries, asOf };
  return { ...known, state: sealer.open(row.state, placeOf(row.id)) };
}

const placeOf = (id: string): string => `claim:${id}:state`;
