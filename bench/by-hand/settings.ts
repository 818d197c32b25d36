import type { ProviderUrls } from './provider-call.client.js';

/** What both processes are started with: their one argument, as JSON. */
export interface ByHandSettings {
  readonly address: string;
  readonly namespace: string;
  readonly taskQueue: string;
  readonly providers: ProviderUrls;
  /** What the worker sets beside the SDK's defaults. */
  readonly tuning: WorkerTuning;
}

/** The options of a worker that change its speed and nothing else. */
export interface WorkerTuning {
  readonly maxCachedWorkflows?: number;
  readonly maxConcurrentWorkflowTaskPolls?: number;
  readonly maxConcurrentActivityTaskPolls?: number;
  readonly maxConcurrentWorkflowTaskExecutions?: number;
  readonly maxConcurrentActivityTaskExecutions?: number;
}

/** Reads the argument. Throws when there is none. */
export function settingsIn(argument: string | undefined): ByHandSettings {
  if (argument === undefined) throw new Error('the bench starts this, with its settings as JSON');
  return JSON.parse(argument) as ByHandSettings;
}
