import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { fileURLToPath } from 'node:url';
import { PROVIDERS, queueOf } from './queues.js';
import { settingsIn } from './settings.js';
import { tripActivities } from './trip-activities.js';

// The worker of the saga by hand: the SDK's defaults but for what it is told. All trips but those
// that have a queue for each provider leave the other queues empty.
const { address, namespace, taskQueue, providers, tuning } = settingsIn(process.argv[2]);
Runtime.install({ logger: new DefaultLogger('WARN') });
const connection = await NativeConnection.connect({ address });
const activities = tripActivities(providers);
const shared = { ...tuning, connection, namespace, activities };
const workflowsPath = fileURLToPath(new URL('./workflows.js', import.meta.url));
const workers = await Promise.all([
  Worker.create({ ...shared, taskQueue, workflowsPath }),
  ...PROVIDERS.map((name) => Worker.create({ ...shared, taskQueue: queueOf(taskQueue, name) })),
]);
process.stdout.write('{"ready":true}\n');
await Promise.all(workers.map((worker) => worker.run()));
process.exit(0);
