export const PROVIDERS = ['payments', 'flights', 'hotels', 'messages'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** The queue for the calls to one provider, beside the queue of the workflows. */
export function queueOf(workflows: string, provider: ProviderName): string {
  return `${workflows}-${provider}`;
}
