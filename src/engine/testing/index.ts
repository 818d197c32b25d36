/** The door `recourse/testing`: tries what can go wrong with a saga, in memory and in seconds. */
export type { Choice, Place, Schedule } from './choices.js';
export { explore, type Explored, type ExploreOptions, type Progress } from './explore.js';
export type { Invariant } from './invariant.js';
export { PROMISES } from './invariants.js';
export type { Failure } from './judge.js';
export { play, type PlayResult } from './play-schedule.js';
export type { Played, Sent } from './played.js';
export type { Effect } from './providers.js';
export type { Written } from './journal.js';
export { wander, type WanderOptions } from './wander.js';
export type { Endings, Tallied, Tried } from './tally.js';
export type { Surroundings } from './world.js';
