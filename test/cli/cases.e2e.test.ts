import { afterAll, beforeAll, expect, test } from 'vitest';
import { Visitor } from '../support/customer.js';
import { startHouse, type House } from '../support/house.js';
import { onlyLine, runCli, runHere } from './run-cli.js';

let house: House;
let visitor: Visitor;

beforeAll(async () => {
  house = await startHouse();
  visitor = new Visitor(house);
});
afterAll(() => house.close());

const env = () => ({ RECOURSE_URL: house.url, RECOURSE_KEY: house.keys.operator });
/** The built CLI, as a person runs it. */
const npx = (...args: string[]) => runCli(args, env());
/** The same verbs in this process, which is quicker. */
const recourse = (...args: string[]) => runHere(args, env());
const LOOKED = ['--evidence', 'front desk, Ms Rao', '--reason', 'they have it'];

interface Listed {
  readonly data: readonly { readonly id: string; readonly run: string }[];
}

/** Books a trip whose hotel's answer is lost, and answers its id and that of its case. */
async function lost(): Promise<{ readonly run: string; readonly id: string }> {
  const { id: run } = await visitor.book({ hotel: 'H-204-LOST' });
  await visitor.until(run, ['in_review']);
  const { data } = JSON.parse((await npx('cases', 'list', '--json')).stdout) as Listed;
  const found = data.find((one) => one.run === run);
  if (found === undefined) throw new Error(`no case of ${run} is listed`);
  return { run, id: found.id };
}

test('a lost hotel is found, looked at and decided from the command line', async () => {
  const { run, id } = await lost();
  const before = await npx('runs', 'show', run);
  expect(before.stdout).toContain('hotel waits for a person: nobody can say');
  expect(before.stdout).toContain(`npx recourse cases resolve ${id} --verdict`);
  const shown = await recourse('cases', 'show', id);
  expect(shown.stdout).toMatch(/^did-not-happen .*attempted again/m);

  const [effect] = await house.sandbox.effects(`${run}:hotel`);
  const decided = await npx(
    ...['cases', 'resolve', id, '--verdict', 'happened', ...LOOKED, '--yes', '--json'],
    ...['--value', JSON.stringify({ id: effect?.id })],
  );
  expect(decided.stderr).toContain('Your verdict: happened. The step counts as done');
  expect(decided.code).toBe(0);
  expect(JSON.parse(decided.stdout)).toMatchObject({
    ...{ id, state: 'resolved', verdict: 'happened' },
    ...{ evidence: 'front desk, Ms Rao', reason: 'they have it' },
  });

  await visitor.until(run, ['confirmed']);
  await expect.poll(() => visitor.run(run)).toMatchObject({ state: 'completed' });
  const after = await recourse('runs', 'show', run);
  expect(after).toMatchObject({ code: 0, stderr: '' });
  expect(after.stdout).toMatch(/^completed, direction forward; the customer sees confirmed$/m);
  expect(after.stdout).toMatch(/verdict happened .*they have it .*front desk, Ms Rao$/m);
  expect(after.stdout).toContain(`A person decided about hotel: it happened (${id}).`);
  const json = await recourse('runs', 'show', run, '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({ object: 'run', id: run, state: 'completed' });
});

test('a case that is closed is refused, and says how it was closed', async () => {
  const { run, id } = await lost();
  const left = ['cases', 'resolve', id, '--verdict', 'left-as-is', ...LOOKED, '--yes'];
  const first = await recourse(...left, '--amount', '9000', '--currency', 'INR');
  expect(first).toMatchObject({ code: 0, stdout: `${id} is resolved: left-as-is\n` });
  const second = await recourse(...left);
  expect(second).toMatchObject({ code: 1, stdout: '' });
  expect(second.stderr).toMatch(
    /is closed already \(left-as-is, 90\.00 INR, by demo\/.*nothing was sent\n$/,
  );
  await visitor.until(run, ['closed']);
  expect((await recourse('runs', 'show', run)).stdout).toMatch(
    /^remains: hotel may have taken effect$/m,
  );
  const closed = await recourse('cases', 'list', '--state', 'resolved', '--limit', '1', '--json');
  expect(JSON.parse(closed.stdout)).toMatchObject({ data: [{ id }] });
});

test('a verdict without its value is refused, and the case stays open', async () => {
  const { id } = await lost();
  const happened = ['cases', 'resolve', id, '--verdict', 'happened', ...LOOKED, '--yes'];
  const none = await recourse(...happened);
  expect(none.code).toBe(1);
  expect(none.stderr).toContain(
    'happened needs --value here: what reserveRoom would have answered, as JSON, such as',
  );
  const wrong = await recourse(...happened, '--value', '{"room": 7}');
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toMatch(
    /\(body-invalid 400, \/value invalid, POST http.*, request [^)]+\)\n$/,
  );
  const { stdout } = await recourse('cases', 'show', id, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ state: 'open' });
});

test('the run that waits for a person is found in the list of runs', async () => {
  const { run } = await lost();
  const filters = ['--problem', '--state', 'needs_reconciliation', '--saga', 'book-trip'];
  const listed = await npx('runs', 'list', ...filters);
  expect(listed).toMatchObject({ code: 0, stderr: '' });
  const line = listed.stdout.split('\n').find((one) => one.startsWith(run));
  expect(line).toMatch(/book-trip v2 +demo +needs_reconciliation +hotel +unknown-outcome since 2/);
  const json = await recourse('runs', 'list', '--limit', '1', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({ data: [{ object: 'run', id: run }] });
  const silent = await recourse('runs', 'list', '--silent-for', '1d');
  expect(silent).toMatchObject({ code: 0, stdout: 'No run of this kind.\n' });
});

test('a verdict is looked at before it is given: nothing is decided', async () => {
  const { run, id } = await lost();
  const looked = await npx(
    ...['cases', 'resolve', id, '--verdict', 'left-as-is', ...LOOKED, '--dry-run'],
  );
  expect(looked).toMatchObject({ code: 0, stderr: '' });
  expect(looked.stdout).toContain(`verdict left-as-is of ${run}\n`);
  expect(looked.stdout).toMatch(/^2 +undo flight \(releaseSeat at flights\)$/m);
  expect(looked.stdout).toMatch(/^4 +end as closed_by_hand$/m);
  expect(await visitor.openCases(run)).toHaveLength(1);
});

test('a run is looked at, cancelled and abandoned from the command line', async () => {
  const { run, id } = await lost();
  const reason = ['--reason', 'the customer called'];
  const looked = await npx('runs', 'cancel', run, ...reason, '--dry-run');
  expect(looked).toMatchObject({ code: 0, stderr: '' });
  expect(looked.stdout).toMatch(/^1 +turn back, because it was cancelled$/m);
  expect(looked.stdout).toContain(`nobody can say whether it took effect (${id})`);
  expect(await visitor.run(run)).toMatchObject({ status: 'in_review', interventions: [] });

  const cancelled = await recourse('runs', 'cancel', run, ...reason, '--yes');
  expect(cancelled).toMatchObject({ code: 0, stdout: `${run}: cancel is done\n` });
  await expect
    .poll(async () => (await visitor.read(run)).steps.map(({ undo }) => undo), { timeout: 20_000 })
    .toEqual(['done', 'done', 'owed', 'not_owed', 'not_owed']);
  const none = await recourse('runs', 'retry', run, ...reason, '--yes');
  expect(none.code).toBe(1);
  expect(onlyLine(none)).toMatch(/Nothing waits for its time\. .*\(nothing-to-retry 409, /);

  const abandon = ['runs', 'abandon', run, ...reason];
  expect((await recourse(...abandon, '--yes', `bk_${TAIL}`)).code).toBe(2);
  const abandoned = await npx(...abandon, '--yes', run, '--json');
  expect(abandoned.stderr).toContain('What remains\nhotel may have taken effect\n');
  expect(JSON.parse(abandoned.stdout)).toMatchObject({
    ...{ action: 'abandon', dry_run: false, after: { state: 'closed_by_hand' } },
  });
  const shown = await recourse('runs', 'show', run);
  expect(shown.stdout).toMatch(/abandon .*the customer called/);
  expect(shown.stdout).toMatch(new RegExp(`^${id} .*abandoned by demo/`, 'm'));
});

const TAIL = 'a'.repeat(26);

test.each([
  [
    'a run that is not there',
    ['runs', 'show', `bk_${TAIL}`],
    1,
    /There is nothing here\. .*not-found 404/,
  ],
  [
    'a case that is not there',
    ['cases', 'show', `case_${TAIL}`],
    1,
    /not-found 404, GET http.*request /,
  ],
  ['half an id', ['runs', 'show', 'bk_abc'], 2, /bk_abc is no id of a run/],
  [
    'no evidence',
    ['cases', 'resolve', `case_${TAIL}`, '--verdict', 'happened', '--reason', 'r'],
    2,
    /--evidence/,
  ],
  [
    'a verdict that is none',
    ['cases', 'resolve', `case_${TAIL}`, '--verdict', 'maybe', ...LOOKED],
    2,
    /Allowed choices/,
  ],
  [
    'empty evidence',
    [
      ...['cases', 'resolve', `case_${TAIL}`, '--verdict', 'happened'],
      ...['--evidence', '', '--reason', 'r', '--yes'],
    ],
    2,
    /--evidence: one line/,
  ],
  ['an action without a reason', ['runs', 'cancel', `bk_${TAIL}`, '--yes'], 2, /--reason/],
  [
    'an action with nobody to be asked',
    ['runs', 'abandon', `bk_${TAIL}`, '--reason', 'r'],
    2,
    /then give --yes bk_a/,
  ],
  ['a state that is none', ['runs', 'list', '--state', 'stuck'], 2, /Allowed choices/],
  ['a problem that is none', ['runs', 'list', '--problem', 'x'], 2, /Allowed choices/],
  [
    'a time that is none',
    ['runs', 'list', '--silent-for', 'long'],
    2,
    /--silent-for long: a length/,
  ],
  [
    'nobody to be asked',
    ['cases', 'resolve', `case_${TAIL}`, '--verdict', 'happened', ...LOOKED],
    2,
    /give --yes/,
  ],
])('%s is one line on standard error', async (_what, args, code, line) => {
  const ended = await recourse(...args);
  expect(ended.code).toBe(code);
  expect(onlyLine(ended)).toMatch(line);
});

test('a customer’s key is refused, with what to do', async () => {
  const ended = await runHere(['cases', 'list'], { ...env(), RECOURSE_KEY: house.keys.customer });
  expect(ended.code).toBe(1);
  expect(onlyLine(ended)).toMatch(/Set RECOURSE_KEY to an operator’s key\. \(forbidden 403/);
});
