import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { EventStream, type StreamEvent } from '../../src/engine/http/event-stream.js';
import { streamBytes } from '../../src/engine/http/event-stream.process.js';
import { streamPlaces } from '../../src/engine/events/stream-places.js';

const PATIENT = { commentEveryMs: 60_000, stalledMs: 60_000 };

interface Opened {
  readonly bytes: ReturnType<typeof streamBytes>;
  /** How many batches were asked for. */
  readonly asked: () => number;
  readonly left: () => boolean;
}

/** A stream of these batches, which then goes on in silence until its client is gone. */
function open(batches: readonly (readonly StreamEvent[])[], times = PATIENT): Opened {
  let asked = 0;
  let left = false;
  const stream = new EventStream(
    async function* events(signal) {
      for (const batch of batches) {
        asked += 1;
        yield batch;
      }
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
    () => () => (left = true),
  );
  return { bytes: streamBytes(stream, { times }), asked: () => asked, left: () => left };
}

const event = (id: number, data: unknown = {}) => ({ id: String(id), name: 'it.happened', data });

const closed = ({ bytes }: Opened) =>
  new Promise<Error | undefined>((resolve) => {
    let error: Error | undefined;
    bytes.on('error', (one) => (error = one));
    bytes.once('close', () => resolve(error));
  });

test('an event is one id, one name and one line of JSON, whatever is in it', async () => {
  const opened = open([[event(1, { text: 'two\nlines\r\nand more' })], [event(2)]]);
  let text = '';
  opened.bytes.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await expect.poll(() => text).toContain('id: 2');
  expect(text.replace(/^retry: \d+/, 'retry: N')).toBe(
    'retry: N\n\n' +
      'id: 1\nevent: it.happened\ndata: {"text":"two\\nlines\\r\\nand more"}\n\n' +
      'id: 2\nevent: it.happened\ndata: {}\n\n',
  );
  opened.bytes.destroy();
});

test('a comment comes while nothing happens, again and again', async () => {
  const opened = open([], { ...PATIENT, commentEveryMs: 10 });
  let text = '';
  opened.bytes.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await expect.poll(() => text.match(/^: still here$/gm)?.length ?? 0).toBeGreaterThan(2);
  opened.bytes.destroy();
});

test('who does not read is cut off, and no more was made than a buffer holds', async () => {
  const batches = Array.from({ length: 1_000 }, (_, id) => [event(id, 'x'.repeat(1_000))]);
  const opened = open(batches, { ...PATIENT, stalledMs: 100 });
  // It takes one piece, and then no more, as a socket does that is full.
  opened.bytes.once('readable', () => opened.bytes.read(1));
  expect((await closed(opened))?.message).toBe('the client does not read');
  expect(opened.asked()).toBeLessThan(30);
  expect(opened.left()).toBe(true);
});

test('who reads slowly gets all of it', async () => {
  const batches = Array.from({ length: 40 }, (_, id) => [event(id, 'x'.repeat(2_000))]);
  const opened = open(batches, { ...PATIENT, stalledMs: 2_000 });
  let text = '';
  for await (const chunk of opened.bytes) {
    text += String(chunk);
    await pause(5);
    if (text.includes('id: 39\n')) break;
  }
  expect(text.match(/^id: /gm)).toHaveLength(40);
});

test('the place is left when the client goes, and when the events fail', async () => {
  const gone = open([[event(1)]]);
  let text = '';
  gone.bytes.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await expect.poll(() => text).toContain('id: 1');
  const gently = closed(gone);
  gone.bytes.destroy();
  expect([await gently, gone.left()]).toEqual([undefined, true]);

  let left = false;
  const broken = streamBytes(
    new EventStream(
      async function* events() {
        yield [event(1)];
        throw new Error('a bug');
      },
      () => () => (left = true),
    ),
    { times: PATIENT },
  );
  broken.resume();
  const error = await new Promise<Error>((resolve) => broken.once('error', resolve));
  await expect.poll(() => left).toBe(true);
  expect(error.message).toBe('a bug');
});

test('places are counted for each account and for all, and left once', () => {
  const places = streamPlaces({ all: 3, account: 2 });
  const leave = places.enter('acme');
  places.enter('acme');
  expect(() => places.enter('acme')).toThrow(expect.objectContaining({ code: 'rate-limited' }));
  places.enter('zenith');
  expect(() => places.enter('zenith')).toThrow(expect.objectContaining({ code: 'overloaded' }));
  leave();
  leave();
  places.enter('zenith');
  expect(() => places.enter('acme')).toThrow(expect.objectContaining({ code: 'overloaded' }));
});
