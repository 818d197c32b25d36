import { describe, expect, test } from 'vitest';
import { drawSaga } from '../../../src/engine/saga/draw-saga.js';
import { SagaDefinitionError } from '../../../src/engine/saga/errors.js';
import { handOver, inARow, label, note, parcel, sideBySide, slot } from './parcels.js';
import { readMermaid } from './read-mermaid.js';

describe('a definition is drawn', () => {
  test('as a flowchart: forward, back, the pivot marked, the same text each time', () => {
    expect(drawSaga(sideBySide)).toBe(
      `
flowchart TD
  accepted(["send-parcel, version 2"])
  do1["label<br/>buyLabel at carrier"]
  subgraph beside2 ["side by side"]
    do2["box<br/>reserveBox at stock"]
    do3["slot<br/>holdSlot at depot<br/>nothing to undo: a slot lapses by itself"]
  end
  do4{{"hand-over, the pivot<br/>handOver at carrier"}}
  do5["note<br/>sendNote at messages"]
  completed(["completed"])
  accepted --> do1
  do1 --> do2
  do1 --> do3
  do2 --> do4
  do3 --> do4
  do4 --> do5
  do5 --> completed
  undo2("undo of box<br/>freeBox at stock")
  undo1("undo of label<br/>voidLabel at carrier")
  undone(["undone, or cancelled"])
  do2 -.->|"undo"| undo2
  do1 -.->|"undo"| undo1
  do4 -.->|"if it does not happen"| undo2
  undo2 -.-> undo1
  undo1 -.-> undone
  classDef pivot stroke-width:4px
  class do4 pivot
`.trim(),
    );
    expect(drawSaga(sideBySide)).toBe(drawSaga(sideBySide));
  });

  test('one step after the other where none are side by side', () => {
    const { nodes, frames, arrows, marked } = readMermaid(drawSaga(inARow));
    expect(frames).toEqual([]);
    expect([...nodes.keys()].slice(0, 7)).toEqual([
      ...['accepted', 'do1', 'do2', 'do3', 'do4', 'do5', 'completed'],
    ]);
    expect(arrows.filter((arrow) => arrow.includes('-->'))).toEqual([
      ...['accepted --> do1', 'do1 --> do2', 'do2 --> do3', 'do3 --> do4', 'do4 --> do5'],
      'do5 --> completed',
    ]);
    expect([...marked]).toEqual([['do4', 'pivot']]);
  });

  test('with an arrow from each of a group to each of the next', () => {
    const twice = parcel()
      .parallel((group) => group.step('a', slot).step('b', label))
      .parallel((group) => group.step('c', slot).step('d', label));
    const { frames, arrows } = readMermaid(drawSaga(twice));
    expect(frames).toEqual([
      ['do1', 'do2'],
      ['do3', 'do4'],
    ]);
    expect(arrows).toEqual(
      expect.arrayContaining(['do1 --> do3', 'do1 --> do4', 'do2 --> do3', 'do2 --> do4']),
    );
    expect(arrows).toEqual(expect.arrayContaining(['undo4 -.-> undo2', 'undo2 -.-> undone']));
  });

  test('without a way back where nothing is undone, and without a pivot where there is none', () => {
    const forward = readMermaid(drawSaga(parcel().pivot('hand-over', handOver).step('n', note)));
    expect(forward.nodes.has('undone')).toBe(false);
    expect(forward.arrows.join()).not.toContain('-.->');
    expect(drawSaga(parcel().step('label', label))).not.toContain('pivot');
  });

  test('in full with 200 steps: each is reached, and each undo leads to the end', () => {
    const steps = Array.from({ length: 200 }, (_, index) => `s${index}`);
    const saga = steps.reduce((chain, name) => chain.step(name, label), parcel());
    const { nodes, arrows } = readMermaid(drawSaga(saga));
    const reached = new Set(arrows.map((arrow) => arrow.replace(/:.*$/, '').split(' ')[2]));
    expect([...nodes.keys()].filter((id) => !reached.has(id))).toEqual(['accepted']);
    expect(nodes.size).toBe(403);
  });

  test.each([
    ['quotes', 'it "lapses"', 'it #34;lapses#34;'],
    ['HTML', '<b>soon</b>', '#60;b#62;soon#60;#47;b#62;'],
    ['a code', '#quot;', '#35;quot#59;'],
    ['Markdown', '`**x**`', '#96;#42;#42;x#42;#42;#96;'],
    ['several lines', 'one\n  end\ntwo', 'one end two'],
    ['brackets and a pipe', 'a]}|b', 'a#93;#125;#124;b'],
    ['a comment', '%% gone', '#37;#37; gone'],
    ['other letters and signs', 'Plätze 座席 😀', 'Plätze 座席 #128512;'],
  ])('and %s in a reason do not break it', (_, nothingToUndo, drawn) => {
    const saga = parcel().step('slot', { ...slot, nothingToUndo });
    const { nodes } = readMermaid(drawSaga(saga));
    expect(nodes.get('do1')?.label).toBe(
      `slot<br/>holdSlot at depot<br/>nothing to undo: ${drawn}`,
    );
  });

  test('but not before it has a step', () => {
    expect(() => drawSaga(parcel())).toThrow(SagaDefinitionError);
  });
});

describe('what reads a flowchart here', () => {
  test.each([
    ['another kind of chart', 'graph LR'],
    ['a label without quotes', 'flowchart TD\n  a[b]'],
    ['a shape that closes otherwise', 'flowchart TD\n  a["b")'],
    ['a node twice', 'flowchart TD\n  a["b"]\n  a["c"]'],
    ['a node called end', 'flowchart TD\n  end["b"]'],
    ['an arrow to nothing', 'flowchart TD\n  a["b"]\n  a --> c'],
    ['a frame that stays open', 'flowchart TD\n  subgraph a ["b"]'],
    ['what is not indented', 'flowchart TD\na["b"]'],
    ['a bare quote in a label', 'flowchart TD\n  a["b"c"]'],
  ])('refuses %s', (_, text) => {
    expect(() => readMermaid(text)).toThrow(Error);
  });
});
