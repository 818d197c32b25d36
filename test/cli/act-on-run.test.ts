import { expect, test } from 'vitest';
import { actOnRun, type ActionWish } from '../../src/cli/act-on-run.js';
import type { Api } from '../../src/cli/api.client.js';
import { ApiRefused } from '../../src/cli/api-refusal.js';
import { CliFailure, WrongUsage } from '../../src/cli/cli-failure.js';
import { person } from './person.js';
import { readAction, RUN } from './seen.js';

const reason = 'they called';

/** An API that remembers what it was sent, and refuses what is not only previewed, if it shall. */
function office(refusal?: string): Api & { readonly posted: unknown[] } {
  const posted: unknown[] = [];
  return {
    posted,
    get: () => Promise.reject(new Error('nothing is read here')),
    post: async (path, expected, { body, ifMatch }) => {
      posted.push(body);
      expect([path, expected, ifMatch]).toEqual([`/v1/runs/${RUN}/actions`, 'action', undefined]);
      if (refusal !== undefined) {
        const problem = { code: refusal, title: 'No', request_id: 'req_7' };
        throw new ApiRefused({ request: 'POST', status: 409, retryAfter: null, body: problem });
      }
      return { document: readAction() as never, etag: null };
    },
  };
}

const wish = (
  action: ActionWish['request']['action'],
  more: Partial<ActionWish> = {},
): ActionWish => ({
  ...{ id: RUN, request: { action, reason }, yes: undefined, dryRun: false },
  ...more,
});
const looked = (action: string) => ({ action, reason, dry_run: true });
const done = (action: string) => ({ action, reason });

test.each([
  ['cancel', 'y'],
  ['retry-now', ' Yes '],
  ['abandon', ` ${RUN} `],
] as const)('%s is shown, asked for, and after %j done', async (action, answer) => {
  const [api, who] = [office(), person(answer)];
  await actOnRun(api, who, wish(action));
  expect(api.posted).toEqual([looked(action), done(action)]);
  expect(who.heard[0]).toContain('What follows, if every call takes effect');
  expect(who.heard[1]).toMatch(action === 'abandon' ? /Type the id of the run/ : /\[y\/N\]/);
});

test.each([
  ['cancel', ''],
  ['cancel', 'n'],
  ['retry-now', 'yeah'],
  ['abandon', 'y'],
  ['abandon', 'yes'],
  ['abandon', RUN.slice(0, -1)],
] as const)('%s is not done after %j', async (action, answer) => {
  const api = office();
  const acting = actOnRun(api, person(answer), wish(action));
  await expect(acting).rejects.toThrow('nothing was changed');
  expect(api.posted).toEqual([looked(action)]);
});

test.each([
  ['cancel', true],
  ['retry-now', true],
  ['abandon', RUN],
] as const)('%s with --yes asks nobody, and shows it all the same', async (action, yes) => {
  const [api, who] = [office(), person(null)];
  await actOnRun(api, who, wish(action, { yes }));
  expect(api.posted).toEqual([looked(action), done(action)]);
  expect(who.heard).toHaveLength(1);
});

test.each<[string, ActionWish, RegExp]>([
  ['nobody to be asked', wish('cancel'), /then give --yes$/],
  ['nobody to type the id', wish('abandon'), new RegExp(`then give --yes ${RUN}$`)],
  ['another id', wish('abandon', { yes: 'bk_other' }), /--yes bk_other: the id of the run/],
])('%s is wrong usage, and nothing is sent', async (_what, wished, message) => {
  const api = office();
  const acting = actOnRun(api, person(null), wished);
  await expect(acting).rejects.toThrow(WrongUsage);
  await expect(acting).rejects.toThrow(message);
  expect(api.posted).toEqual([]);
});

test('a dry run needs nobody and no --yes, and ends after the showing', async () => {
  const [api, who] = [office(), person(null)];
  expect(await actOnRun(api, who, wish('abandon', { dryRun: true }))).toEqual(readAction());
  expect(api.posted).toEqual([looked('abandon')]);
  expect(who.heard).toEqual([]);
});

test('what the API refuses is refused before anybody is asked', async () => {
  const [api, who] = [office('nothing-to-retry'), person('y')];
  const acting = actOnRun(api, who, wish('retry-now'));
  await expect(acting).rejects.toThrow(CliFailure);
  await expect(acting).rejects.toThrow(/nothing-to-retry 409/);
  expect(api.posted).toEqual([looked('retry-now')]);
  expect(who.heard).toEqual([]);
});
