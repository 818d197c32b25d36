import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveRun } from '../../engine/runs/run-schema.js';
import type { Terminal } from '../terminal.process.js';
import { openDemoApi, type DemoApi, type DemoPlace } from './demo-api.client.js';
import type { DemoStory } from './demo-story.js';
import { tellStory, type PlayedStory, type WayIn } from './tell-story.js';

export interface Demo {
  readonly stories: readonly DemoStory[];
  readonly place: DemoPlace;
  readonly way: WayIn;
  readonly terminal: Terminal;
}

/** Far longer than a story takes, also on a machine that has much else to do. */
const STORY_LIMIT_MS = 90_000;
const LOOK_EVERY_MS = 100;

/**
 * Orders what each story is about, all of them at once, waits for their ends and tells them one
 * after another. Answers whether every one ended as it should; one that did not is told all the
 * same. When the start is stopped meanwhile, it breaks off and says what becomes of the trips.
 */
export async function playDemo(demo: Demo): Promise<boolean> {
  const { place, terminal, stories, way } = demo;
  const api = openDemoApi(place);
  terminal.line(`The demo books ${stories.length} trips, one for each ending:`);
  const plays = stories.map((story) => terminal.stage(story.title, () => play(api, story, place)));
  const results = await Promise.allSettled(plays);
  if (place.signal.aborted) {
    terminal.line('The demo was broken off. Its trips go on at the next start, without a cancel.');
    return true;
  }
  let asMeant = true;
  for (const [index, result] of results.entries()) {
    const title = stories[index]?.title ?? '';
    if (result.status === 'fulfilled') {
      terminal.line(`\n${tellStory(result.value, way)}`);
      asMeant &&= result.value.run.state === result.value.story.endsAs;
    } else {
      terminal.line(`\nrecourse: ${title} cannot be told: ${(result.reason as Error).message}`);
      asMeant = false;
    }
  }
  terminal.line(
    asMeant
      ? `\nThe demo is over; all of it stays up. Look at any of them: ${way.cli} runs show bk_…`
      : '\nrecourse: the demo did not go as it should; all of it stays up to be looked at',
  );
  return asMeant;
}

async function play(api: DemoApi, story: DemoStory, place: DemoPlace): Promise<PlayedStory> {
  const id = await api.order(story.order.path, story.order.body);
  const { cancel } = story;
  if (cancel !== undefined) {
    await when(api, id, place, (run) => hasBegun(run, cancel.during) || hasEnded(run));
    await api.cancel(cancel.path(id));
  }
  const run = await when(api, id, place, hasEnded);
  const open = run.cases.filter(({ state }) => state === 'open');
  const cases = await Promise.all(open.map((one) => api.case(one.id)));
  return { story, run, cases, effects: await api.effects(id) };
}

/** The run as soon as `isSo`, or as it stands when the story has taken too long. */
async function when(
  api: DemoApi,
  id: string,
  { signal }: DemoPlace,
  isSo: (run: LiveRun) => boolean,
): Promise<LiveRun> {
  const until = performance.now() + STORY_LIMIT_MS;
  for (;;) {
    const run = await api.run(id);
    if (isSo(run) || performance.now() > until) return run;
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

function hasBegun(run: LiveRun, step: string): boolean {
  return run.steps.some(({ name, state }) => name === step && state !== 'not_started');
}

/** It will not go on by itself. */
function hasEnded({ state }: LiveRun): boolean {
  return state !== 'running' && state !== 'undoing';
}
