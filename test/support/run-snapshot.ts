import type { RunSnapshot } from '../../src/engine/runs/read-runs.store.js';
import { trip } from './trip.js';

const BEFORE = new Date('2026-01-02T03:04:05.678Z');
const NOW = new Date('2026-01-02T03:05:06.789Z');

/** A trip's run as it is read, just accepted, with some columns changed. */
export function tripRun(changes: Partial<RunSnapshot> = {}): RunSnapshot {
  return {
    id: 'bk_abcdefghijklmnopqrstuvwxyz',
    account: 'acme',
    saga: 'book-trip',
    version: 1,
    lastSeq: 1,
    reference: 'cart-81',
    input: { ...trip(), metadata: { campaign: 'spring' } },
    state: 'running',
    direction: 'forward',
    status: 'pending',
    steps: ['charge', 'flight', 'hotel', 'ticket', 'receipt'].map((name) => ({
      name,
      state: 'not_started',
      undo: 'not_owed',
    })),
    failure: null,
    remains: [],
    problem: null,
    problemStep: null,
    stuckSince: null,
    results: [],
    createdAt: BEFORE,
    updatedAt: NOW,
    deadlineAt: null,
    endedAt: null,
    cancelRequestedAt: null,
    pivotBegunAt: null,
    unwindingBecause: null,
    ...changes,
  };
}
