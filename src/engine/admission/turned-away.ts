/** Why a request was turned away although nothing is wrong with it; each is counted by its own. */
export const TURNED_AWAY = [
  'event-loop',
  'pool-wait',
  'backlog',
  'deadline',
  'in-flight',
  'account-in-flight',
  'requests',
  'active-runs',
  'streams',
  'account-streams',
] as const;

export type TurnedAway = (typeof TURNED_AWAY)[number];
