/** The door `recourse/worker`: what runs sagas. */
export { bundleWorkflows } from './bundle-workflows.process.js';
export { installRuntime } from './install-runtime.js';
export { startWorkers, type RunningWorkers, type WorkerSettings } from './start-workers.process.js';
