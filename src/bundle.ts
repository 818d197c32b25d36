import { fileURLToPath } from 'node:url';
import { bundleWorkflows } from './engine/worker/index.js';

// The last step of the build: workers start from this file and bundle nothing themselves.
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
await bundleWorkflows(here('../workflows/index.js'), here('../workflow-bundle.js'));
