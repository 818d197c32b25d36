import { Command, CommanderError } from 'commander';
import { describe, expect, test } from 'vitest';
import { createCli } from '../../src/cli/create-cli.js';
import { WrongUsage } from '../../src/cli/cli-failure.js';
import { findSaga } from '../../src/cli/installed.js';
import { addGraphCommand } from '../../src/cli/graph.command.js';
import { addSagasCommand } from '../../src/cli/sagas.command.js';
import { drawSaga } from '../../src/engine/saga/draw-saga.js';
import { printSaga } from '../../src/engine/saga/print-saga.js';
import { inARow, note, parcel, sideBySide } from '../engine/saga/parcels.js';
import type { Ended } from './run-cli.js';

const letter = parcel(10, { deadlineMs: 60_000 }).step('note', {
  ...note,
  nothingToUndo: 'a\u001B[31m note\n cannot be called back',
});
const installed = [inARow, letter, sideBySide];

/** Runs one verb here on the sagas above. */
async function recourse(...args: readonly string[]): Promise<Ended> {
  let [code, stdout, stderr] = [0, '', ''];
  const say = (text: string) => void (stderr += text);
  const program = new Command('recourse').exitOverride().configureOutput({ writeErr: say });
  const cli = createCli({
    env: {},
    terminal: { data: (text) => void (stdout += text), say, canAsk: false, ask: async () => '' },
    findLocalStart: () => {
      throw new Error('no installation is needed');
    },
    endWith: (failed) => void (code = failed),
  });
  const readInstalled = async () => ({
    ...{ file: '/shop/recourse.config.js', bundlePath: '/shop/workflow-bundle.js' },
    ...{ sagas: installed, makesActs: false },
  });
  addSagasCommand(program, cli, readInstalled);
  addGraphCommand(program, cli, readInstalled);
  await program.parseAsync(args, { from: 'user' }).catch((error: unknown) => {
    if (!(error instanceof CommanderError)) throw error;
    code = 2;
  });
  return { code, stdout, stderr };
}

describe('a saga is found by its name', () => {
  test.each([
    ['send-parcel', 10],
    ['send-parcel@10', 10],
    ['send-parcel@2', 2],
    ['send-parcel@1', 1],
  ])('%s is version %i', (given, version) => {
    expect(findSaga(installed, given).version).toBe(version);
  });

  const there = 'There is: send-parcel@1, send-parcel@10, send-parcel@2';
  test.each([
    ['send-parcle', `there is no saga send-parcle. Did you mean send-parcel? ${there}`],
    ['send-parcel@3', `there is no saga send-parcel@3. ${there}`],
    ['send-parcel@01', `there is no saga send-parcel@01. ${there}`],
    ['send-parcel@', `there is no saga send-parcel@. ${there}`],
    ['send-parcel@1@2', `there is no saga send-parcel@1@2. ${there}`],
    ['refund', `there is no saga refund. ${there}`],
    ['', `there is no saga . ${there}`],
  ])('"%s" is none', (given, message) => {
    expect(() => findSaga(installed, given)).toThrow(new WrongUsage(message));
  });

  test('and where none is installed that is said', () => {
    expect(() => findSaga([], 'a')).toThrow('there is no saga a. There is: none');
  });
});

describe('recourse sagas', () => {
  test('lists every version, the newest first', async () => {
    const listed = await recourse('sagas');
    expect(listed).toEqual(await recourse('sagas', 'list'));
    expect(listed).toEqual({
      code: 0,
      stderr: '',
      stdout: `
saga            steps  pivot      deadline  providers
send-parcel@10  1      -          1 min     messages
send-parcel@2   5      hand-over  -         carrier, stock, depot, messages
send-parcel@1   5      hand-over  -         carrier, stock, depot, messages
`.trim(),
    });
  });

  test('shows one as text, and what would steer a terminal does not', async () => {
    expect((await recourse('sagas', 'show', 'send-parcel@2')).stdout).toBe(printSaga(sideBySide));
    const { stdout } = await recourse('sagas', 'show', 'send-parcel');
    expect(stdout).toContain('nothing to undo: a\uFFFD[31m note\uFFFD cannot be called back');
  });

  test('shows one as data, complete and in the spelling of JSON', async () => {
    const { stdout } = await recourse('sagas', 'show', 'send-parcel@1', '--json');
    const { steps, ...saga } = JSON.parse(stdout) as { readonly steps: readonly unknown[] };
    const times = { deadline_ms: null, slow_undo_ms: 30_000, stuck_after_ms: 900_000 };
    expect(saga).toEqual({ name: 'send-parcel', version: 1, rules: 1, ...times });
    const retry = { attempts: 5, first_delay_ms: 200, cap_ms: 10_000, within_ms: null };
    const call = { why: null, timeout_ms: 10_000 };
    expect(steps).toHaveLength(5);
    expect(steps[1]).toEqual({
      ...{ name: 'box', place: 'before-pivot', at: 'stock', group: 1 },
      forward: {
        ...{ ...call, run: 'reserveBox', when_unknown: 'ask-provider', find: 'findBox', retry },
      },
      undo: {
        ...{ ...call, run: 'freeBox', when_unknown: 'repeat', find: null },
        why: 'a free box stays free',
        retry: { ...retry, attempts: null, cap_ms: 300_000 },
      },
      nothing_to_undo: null,
      on_stuck_undo: 'continue',
    });
    const listed = JSON.parse((await recourse('sagas', '--json')).stdout) as readonly object[];
    expect(listed.map((one) => 'version' in one && one.version)).toEqual([10, 2, 1]);
  });

  test('compares two versions, and says what it cannot see', async () => {
    const compared = await recourse('sagas', 'compare', 'send-parcel', '1', '2');
    expect(compared.code).toBe(0);
    expect(compared.stdout).toBe(
      `
send-parcel, from version 1 to version 2:
- box and slot go on side by side now.

What cannot be seen here:
- What an act, an undo or a find does, and what its parse accepts, is code elsewhere.
- Of an input only its text was compared, not what it calls: samples would show more.
`.trim(),
    );
    const { stdout } = await recourse('sagas', 'compare', 'send-parcel', '1', '2', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ saga: 'send-parcel', from: 1, to: 2 },
      changes: ['box and slot go on side by side now.'],
    });
    expect((await recourse('sagas', 'compare', 'send-parcel', '1', '1')).stdout).toContain(
      'send-parcel, from version 1 to version 1: no change that can be seen.',
    );
  });
});

test('recourse graph draws the version that is named', async () => {
  expect(await recourse('graph', 'send-parcel@2')).toEqual({
    ...{ code: 0, stderr: '' },
    stdout: drawSaga(sideBySide),
  });
  const { stdout } = await recourse('graph', 'send-parcel@1', '--json');
  expect(JSON.parse(stdout)).toEqual({
    ...{ saga: 'send-parcel', version: 1 },
    mermaid: drawSaga(inARow),
  });
});

test.each([
  [['graph', 'send-parcle'], 'Did you mean send-parcel?'],
  [['graph'], "missing required argument 'saga'"],
  [['sagas', 'show', 'send-parcel@3'], 'there is no saga send-parcel@3'],
  [['sagas', 'compare', 'send-parcel', '1', '3'], 'there is no saga send-parcel@3'],
  [['sagas', 'compare', 'send-parcel', '1'], "missing required argument 'other'"],
  [['sagas', 'shwo'], 'too many arguments'],
])('recourse %j is wrong usage: %s', async (args, said) => {
  const ended = await recourse(...args);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain(said);
});
