import { expect, test } from 'vitest';
import type { Api } from '../../src/cli/api.client.js';
import { ApiRefused } from '../../src/cli/api-refusal.js';
import { CliFailure, WrongUsage } from '../../src/cli/cli-failure.js';
import { decideCase } from '../../src/cli/decide-case.js';
import type { CaseSeen } from '../../src/cli/show-cases.js';
import { person } from './person.js';
import { CASE, readLostHotel } from './seen.js';

const request = {
  verdict: 'did-not-happen',
  evidence: 'their list',
  reason: 'not on it',
} as const;

/** An API with one case, which remembers what it was sent, or refuses it with a code. */
function desk(seen: CaseSeen, refusal?: string): Api & { readonly posted: unknown[] } {
  const posted: unknown[] = [];
  const reply = (document: unknown) => ({ document: document as never, etag: '"3"' });
  return {
    posted,
    get: async () => reply(seen),
    post: async (path, _expected, { body, ifMatch }) => {
      posted.push({ path, body, ifMatch });
      if (refusal === undefined) return reply({ ...seen, state: 'resolved' });
      const problem = { code: refusal, request_id: 'req_7' };
      throw new ApiRefused({ request: 'POST', status: 409, retryAfter: null, body: problem });
    },
  };
}

const sent = [{ path: `/v1/cases/${CASE}/verdict`, body: request, ifMatch: '"3"' }];

test.each([['y'], ['Yes'], [' y ']])(
  'after %j the verdict is given on what was shown',
  async (yes) => {
    const [api, who] = [desk(readLostHotel()), person(yes)];
    const closed = await decideCase(api, who, { id: CASE, request, yes: false });
    expect(closed.state).toBe('resolved');
    expect(api.posted).toEqual(sent);
    expect(who.heard[0]).toMatch(/^case_.* {2}open\n/);
    expect(who.heard[1]).toBe('\nYour verdict: did-not-happen. It is attempted again.');
    expect(who.heard[2]).toBe('Give this verdict? [y/N] ');
  },
);

test.each([[''], ['n'], ['yeah'], ['j']])('after %j nothing is sent', async (no) => {
  const api = desk(readLostHotel());
  const deciding = decideCase(api, person(no), { id: CASE, request, yes: false });
  await expect(deciding).rejects.toThrow('nothing was sent');
  expect(api.posted).toEqual([]);
});

test('with --yes nobody is asked, and the facts are said all the same', async () => {
  const [api, who] = [desk(readLostHotel()), person(null)];
  await decideCase(api, who, { id: CASE, request, yes: true });
  expect(api.posted).toEqual(sent);
  expect(who.heard).toHaveLength(2);
});

test('where nobody can be asked, --yes is needed', async () => {
  const api = desk(readLostHotel());
  const deciding = decideCase(api, person(null), { id: CASE, request, yes: false });
  await expect(deciding).rejects.toThrow(WrongUsage);
  expect(api.posted).toEqual([]);
});

const happened = { ...request, verdict: 'happened' } as const;

test.each<[string, CaseSeen, typeof request | typeof happened, RegExp]>([
  [
    'a case that is closed',
    readLostHotel({ state: 'resolved', verdict: 'happened', resolved_by: 'demo/k1' }),
    request,
    /closed already \(happened, by demo\/k1\): nothing was sent/,
  ],
  [
    'a verdict that it does not take',
    readLostHotel({ verdicts: readLostHotel().verdicts.slice(0, 1) }),
    request,
    /does not take did-not-happen; it takes happened/,
  ],
  [
    'an API that knows no verdicts for it',
    readLostHotel({ verdicts: [] }),
    request,
    /it takes none here/,
  ],
  [
    'a verdict without the value it needs',
    readLostHotel(),
    happened,
    /happened needs --value here: what reserveRoom would .*, such as '\{"id":"rs_1"\}'$/,
  ],
])('%s is refused before anybody is asked', async (_what, seen, request, message) => {
  const [api, who] = [desk(seen), person('y')];
  const deciding = decideCase(api, who, { id: CASE, request, yes: false });
  await expect(deciding).rejects.toThrow(CliFailure);
  await expect(deciding).rejects.toThrow(message);
  expect(api.posted).toEqual([]);
  expect(who.heard).not.toContain('Give this verdict? [y/N] ');
});

test.each([
  [
    'changed-since-you-looked',
    /has changed since it was shown here, so nothing was decided.*req_7/,
  ],
  [
    'case-resolved',
    /was closed meanwhile, so your verdict does not count.*cases show case_.*req_7/,
  ],
  ['forbidden', /^Set RECOURSE_KEY/],
])('%s is told in words', async (code, message) => {
  const deciding = decideCase(desk(readLostHotel(), code), person('y'), {
    ...{ id: CASE, request, yes: false },
  });
  await expect(deciding).rejects.toThrow(message);
});
