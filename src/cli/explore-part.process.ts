import { parentPort, workerData } from 'node:worker_threads';
import { explore } from '../engine/testing/explore.js';
import type { PartOfExploring, TellsOfPart } from './explore-in-parts.process.js';
import { findSaga, loadInstalled } from './installed.js';

/** One thread of `recourse explore`: plays its part, and tells how far it is. */
const { config, saga, faults, part } = workerData as PartOfExploring;
const tell = (message: TellsOfPart): void => parentPort?.postMessage(message, []);

const { sagas, providers } = await loadInstalled(config);
const explored = explore(findSaga(sagas, saga), {
  faults,
  part,
  providers,
  onProgress: (progress) => tell({ kind: 'progress', progress }),
});
tell({ kind: 'over', explored });
