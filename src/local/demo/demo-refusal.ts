import { PROVIDER_VARIABLES } from '../part-plans.js';
import type { Environment } from '../start-child.process.js';

/** A worker of somebody else's on the same servers would do the demo's trips with its providers. */
const SHARED = ['DATABASE_URL', 'TEMPORAL_ADDRESS'] as const;

/**
 * Why the demo may not book anything in this environment, in one line; `undefined` when it may. It
 * books only where the providers, and all that leads to them, are the local start's own.
 */
export function demoRefusal(env: Environment): string | undefined {
  const provider = PROVIDER_VARIABLES.find((name) => env[name]);
  if (provider !== undefined) {
    return refuse(provider, 'it may be a real provider, and a demo must never charge anybody');
  }
  const shared = SHARED.find((name) => env[name]);
  if (shared === undefined) return undefined;
  return refuse(shared, 'other workers there may speak to real providers, and would do the trips');
}

function refuse(name: string, why: string): string {
  return `--demo books nothing while ${name} is set: ${why}. Leave one of the two out`;
}
