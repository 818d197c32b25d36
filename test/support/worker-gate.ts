import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { Agent, request, type ClientRequest } from 'node:http';

// Loaded into the built worker before it starts (`node --import`), by NODE_OPTIONS alone: it holds
// activities where a test wants them held. The worker itself is the product's, unchanged.

/** Where an activity is: `start` before anything of it, `end` before it writes what came of it. */
export type GateStage = 'start' | 'end';

/** What a gate asks before an activity goes on. */
export interface GateQuestion {
  readonly stage: GateStage;
  readonly pid: number;
  readonly run: string;
  readonly execution: string;
  readonly activity: string;
  /** What the driver has asked the activity to do. */
  readonly ask: Readonly<Record<string, unknown>>;
}

/** What is done to one attempt inside of its process. */
export interface Treatment {
  /** The answer of the commit that begins it is lost with its connection. */
  readonly losesBegin?: true;
  /** Its request never gets a connection. */
  readonly isMute?: true;
  /** It gives no sign of life any more. */
  readonly isStill?: true;
  /** What it asks for is, on the way, given a name that nobody knows. */
  readonly isMisdirected?: true;
}

/** `drop`: the execution that wanted it is over; it is not begun. */
export interface GateAnswer extends Treatment {
  readonly go: 'on' | 'drop';
}

interface Held extends Treatment {
  readonly question: Omit<GateQuestion, 'stage'>;
  begun: boolean;
  ended: boolean;
}

const inHand = new AsyncLocalStorage<Held>();
const questions = new Agent({ keepAlive: true, maxSockets: Infinity });

function askGate(url: string, question: GateQuestion): Promise<GateAnswer> {
  return inHand.exit(
    () =>
      new Promise((resolve, reject) => {
        const asking = request(url, { method: 'POST', agent: questions }, (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => (text += chunk.toString()));
          response.on('end', () => resolve(JSON.parse(text) as GateAnswer));
        });
        asking.on('error', reject);
        asking.end(JSON.stringify(question));
      }),
  );
}

/** Every activity asks before it begins. */
async function gateActivities(url: string): Promise<void> {
  const { Worker } = await import('@temporalio/worker');
  const create = Worker.create.bind(Worker);
  Worker.create = (options) =>
    create({
      ...options,
      interceptors: {
        activity: [
          (context) => ({
            inbound: {
              async execute(input, next) {
                const { info } = context;
                const question = {
                  pid: process.pid,
                  run: info.workflowExecution?.workflowId ?? '',
                  execution: info.workflowExecution?.runId ?? '',
                  activity: info.activityType,
                  ask: input.args[0] as GateQuestion['ask'],
                };
                const beat = setInterval(() => context.heartbeat(), 1_000);
                const answer = await askGate(url, { ...question, stage: 'start' }).finally(() =>
                  clearInterval(beat),
                );
                if (answer.go === 'drop') throw new Error('its execution is over');
                if (answer.isStill) Object.assign(context, { heartbeat: () => undefined });
                const held: Held = { ...answer, question, begun: false, ended: false };
                return inHand.run(held, () => next(input));
              },
            },
          }),
        ],
      },
    });
}

/** What the statements say that put an attempt or a question on record, and none else does. */
const BEGINS = /insert into attempts|set asked_at = coalesce/;

interface Result {
  readonly rows?: readonly { readonly written_at?: string | null }[];
}
type Query = (...args: unknown[]) => Promise<Result> | undefined;
type Connect = (done?: (...args: unknown[]) => void) => Promise<unknown> | undefined;

/** Every activity asks before it opens a connection to write what came of its call. */
async function gateDatabase(url: string): Promise<void> {
  const { default: pg } = await import('pg');
  const pool = pg.Pool.prototype as unknown as { connect: Connect };
  const { connect } = pool;
  pool.connect = function (done) {
    const held = inHand.getStore();
    const plain = (): ReturnType<Connect> => connect.call(this, done && AsyncResource.bind(done));
    if (held === undefined || !held.begun || held.ended) return plain();
    held.ended = true;
    const asked = askGate(url, { ...held.question, stage: 'end' });
    if (done === undefined) return asked.then(() => connect.call(this));
    void asked.then(plain, done);
    return undefined;
  };
  const client = pg.Client.prototype as unknown as { query: Query; connection: Connection };
  const { query } = client;
  client.query = function (...args) {
    const held = inHand.getStore();
    const [first] = args;
    const text = typeof first === 'string' ? first : (first as { text?: string } | null)?.text;
    if (held === undefined || !BEGINS.test(text ?? '')) return query.apply(this, args);
    return noteBegin(this.connection, held, (...more) => query.apply(this, more), args);
  };
}

interface Connection {
  readonly stream: { destroy(): void };
}

/** Sees that an attempt stands; one whose begin is to be lost never hears of it. */
function noteBegin(
  { stream }: Connection,
  held: Held,
  query: Query,
  args: unknown[],
): ReturnType<Query> {
  const seen = (result: Result): Error | null => {
    // The run was not as it had been read: it is read, and tried, once more.
    if (result.rows?.[0]?.written_at === null) return null;
    if (held.losesBegin !== true) {
      held.begun = true;
      return null;
    }
    stream.destroy();
    return Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' });
  };
  const done = args.at(-1);
  if (typeof done === 'function') {
    const tell = AsyncResource.bind((error: Error | null, result: Result): unknown =>
      done(error ?? seen(result), result),
    );
    return query(...args.slice(0, -1), tell);
  }
  return query(...args)?.then((result) => {
    const lost = seen(result);
    if (lost !== null) throw lost;
    return result;
  });
}

/** Requests that are never sent, or that ask for something else than they should. */
function gateRequests(): void {
  const agent = Agent.prototype as unknown as { addRequest: (...args: unknown[]) => void };
  const { addRequest } = agent;
  agent.addRequest = function (...args) {
    const held = inHand.getStore();
    if (held?.isMute === true) return;
    if (held?.isMisdirected === true) misdirect(args[0] as ClientRequest);
    addRequest.apply(this, args);
  };
}

const AN_ID = /\b((?:ch|or|rs)_)[0-9a-z]{4}/;

function misdirect(sent: ClientRequest): void {
  sent.path = sent.path.replace(AN_ID, '$1none');
  const write = sent.write.bind(sent) as (chunk: string) => boolean;
  sent.write = ((chunk: string) => write(chunk.replace(AN_ID, '$1none'))) as typeof sent.write;
}

const url = process.env.WORKER_GATE_URL;
if (url !== undefined && process.argv.includes('recourse-worker')) {
  gateRequests();
  await gateDatabase(url);
  await gateActivities(url);
}
