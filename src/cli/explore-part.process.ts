import { parentPort, workerData } from 'node:worker_threads';
import { openInstallation } from '../engine/configuration/open-installation.process.js';
import { explore } from '../engine/testing/explore.js';
import type { PartOfExploring, TellsOfPart } from './explore-in-parts.process.js';
import { findSaga } from './installed.js';

/** One thread of `recourse explore`: plays its part, and tells how far it is. */
const { place, saga, faults, part } = workerData as PartOfExploring;
const tell = (message: TellsOfPart): void => parentPort?.postMessage(message, []);

const { sagas, providers } = await openInstallation(place);
const explored = explore(findSaga(sagas, saga), {
  faults,
  part,
  providers,
  onProgress: (progress) => tell({ kind: 'progress', progress }),
});
tell({ kind: 'over', explored });
