/** The door `recourse/worker`: what runs sagas. */
export { bundleSagas, bundleWorkflows, provideBundle } from './bundle-workflows.process.js';
export type { ReadyBundle } from './bundle-workflows.process.js';
export { installRuntime } from './install-runtime.js';
export { startWorkers, type RunningWorkers, type WorkerSettings } from './start-workers.process.js';
