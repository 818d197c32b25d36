import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { fileURLToPath } from 'node:url';
import { settingsIn } from './settings.js';
import { tripActivities } from './trip-activities.js';

// The worker of the saga by hand: one queue, and the SDK's defaults but for what it is told.
const { address, namespace, taskQueue, providers, tuning } = settingsIn(process.argv[2]);
Runtime.install({ logger: new DefaultLogger('WARN') });
const worker = await Worker.create({
  ...tuning,
  connection: await NativeConnection.connect({ address }),
  namespace,
  taskQueue,
  workflowsPath: fileURLToPath(new URL('./workflows.js', import.meta.url)),
  activities: tripActivities(providers),
});
process.stdout.write('{"ready":true}\n');
await worker.run();
process.exit(0);
