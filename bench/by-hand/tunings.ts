import type { WorkerTuning } from './settings.js';

/**
 * How the worker by hand may be set. Which of them is faster differs from machine to machine, so
 * the bench tries both, and measures the engine against the better one.
 */
export const TUNINGS: Readonly<Record<'defaults' | 'fewer-polls', WorkerTuning>> = {
  defaults: {},
  // On two cores ten requests that wait for work are eight too many.
  'fewer-polls': { maxConcurrentWorkflowTaskPolls: 2, maxConcurrentActivityTaskPolls: 2 },
};
