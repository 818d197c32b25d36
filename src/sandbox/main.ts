/**
 * The sandbox: four providers to build and test against, and the witness of what they did.
 *
 * It shares nothing with the engine, because a witness must not share its parser: it imports this
 * folder, packages and `node:` only. It is one process with one port; `/payments`, `/flights`,
 * `/hotels` and `/messages` are the providers, `/_sandbox` is the sandbox itself.
 *
 *     SANDBOX_DATA_DIR=/tmp/sandbox node dist/src/sandbox/main.js
 *     {"ready":true,"url":"http://127.0.0.1:40211"}
 *
 * The life of one request: server.process.ts reads it whole; incoming.ts says what it is;
 * read-call.ts judges it by the protocol; fault-script.ts finds the fault that strikes it and
 * fault-plan.ts turns that into a course; world/ decides what the provider makes of it; recorder.ts
 * puts request and effects into memory.ts and, through record.log.ts, on disk; delivery.process.ts
 * sends the answer. A file's name says what it may touch: `*.log.ts` the record's file,
 * `*.process.ts` sockets and timers, the others nothing, and main.ts everything.
 *
 * Operations, as faults and the record name them (kind of effect in brackets):
 *     payments  charge (charge)  refund (refund)  find_charge  find_refund
 *     flights   hold (hold)  cancel (release)  ticket (ticket)  find
 *     hotels    reserve (reserve)  cancel (cancel)
 *     messages  send (message)
 *
 * Faults: `POST /_sandbox/faults {provider, operation, match?: {reference?, attempt?}, times, do}`.
 * `match.reference` is a prefix; `match.attempt` counts the requests with one reference at one
 * operation, from 1; `times` defaults to 1, null is always. The first fault with uses left wins and
 * takes the place of magic input. `GET` lists them with how often each was `used`; `DELETE` forgets
 * them. `do` is a name, or an object with the name and its arguments:
 *     ok                                     as without magic input
 *     decline                                the operation's own no; nothing happens
 *     {status: {code, retry_after?}}         this status; nothing happens
 *     {delay: {ms}}                          the effect and its answer come later
 *     hang                                   no answer ever; nothing happens
 *     {hang_then_effect: {ms}}               no answer ever; the effect comes later
 *     reset_before_effect                    connection reset; nothing happens
 *     {reset_then_effect: {ms}}              connection reset at once; the effect comes later
 *     effect_then_reset, effect_then_hang, effect_then_500, effect_then_malformed_json,
 *     effect_then_truncated_body             the effect, and its answer lost in this way
 *     {huge_body: {bytes}}                   the effect, and valid JSON of at least this size
 *     {slow_drip: {bytes_per_second}}        the effect, and the answer at this speed
 *     duplicate_effect                       the effect twice; the answer tells of the first
 *     wrong_amount                           an effect, or a found one, one minor unit off
 *     replay_different_body                  the answer names another id than the record
 *     ignore_key                             a new effect though the key is known
 *     expire_key                             the key is forgotten first, as after its 24 hours
 *     ignore_deadline                        served although it came too late
 *
 * Magic input: source `tok_declined`; at hold and reserve offers that end in `-SOLDOUT` (decline),
 * `-HANG` (hang), `-LOST` (effect_then_reset), `-500` (status 500, no effect), `-SLOW` (3 s late).
 *
 * The witness: `GET /_sandbox/requests?reference=` and `GET /_sandbox/effects?reference=` (a
 * prefix) answer `{data: [...]}` in order; one `sequence` counts requests and effects alike.
 * Everything is on disk before it is answered, and rebuilt from there at start; memory holds it
 * too, about a kilobyte a request. To forget it, end the sandbox and remove its data folder.
 */
import { randomBytes } from 'node:crypto';

import { z } from 'zod';

import { openSandbox } from './server.process.js';

const port = z.coerce.number().int().min(0).max(65_535);
const environment = z.object({
  SANDBOX_PORT: port.optional(),
  PORT: port.default(0),
  HOST: z.string().min(1).default('127.0.0.1'),
  SANDBOX_DATA_DIR: z.string('must name the folder for the record').min(1),
});

/** Ten random bytes: two equal ids are not to be expected in the life of this project. */
function newId(): string {
  return randomBytes(10).toString('hex');
}

function fail(message: string): never {
  process.stderr.write(`recourse-sandbox: ${message}\n`);
  process.exit(1);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function main(): Promise<void> {
  process.title = 'recourse-sandbox';
  const read = environment.safeParse(process.env);
  if (!read.success) {
    const issue = read.error.issues[0];
    fail(`${issue?.path.join('.')}: ${issue?.message}`);
  }
  const { SANDBOX_PORT, PORT, HOST, SANDBOX_DATA_DIR } = read.data;
  const sandbox = await openSandbox({
    dataDir: SANDBOX_DATA_DIR,
    host: HOST,
    port: SANDBOX_PORT ?? PORT,
    now: () => new Date(),
    newId,
    onBroken: (error) => fail(reasonOf(error)),
  });
  const end = () => void sandbox.close().then(() => process.exit(0));
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  process.stdout.write(`${JSON.stringify({ ready: true, url: sandbox.url })}\n`);
}

main().catch((error: unknown) => fail(reasonOf(error)));
