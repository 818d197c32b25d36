import { TURNED_AWAY } from '../admission/turned-away.js';
import type { Instruments } from './instruments.js';
import type { ApiMeters, InterventionKind, ProviderMeters } from './meters.js';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const INTERVENTIONS: readonly InterventionKind[] = ['verdict', 'retry-now', 'cancel', 'abandon'];

/** What an API does by itself. */
type OwnMeters = Omit<ApiMeters, keyof ProviderMeters>;

/**
 * Counts what the API does. A route is counted by its pattern, and what matches none as `none`, so
 * that whoever calls cannot make labels.
 */
export function apiMeters(instruments: Instruments, sagas: readonly string[]): OwnMeters {
  const requests = instruments.histogram('recourse_http_request_duration_seconds');
  const problems = instruments.counter('recourse_http_problems_total');
  const turnedAway = instruments.counter('recourse_requests_turned_away_total');
  const accepted = instruments.counter('recourse_runs_accepted_total');
  const left = instruments.counter('recourse_starts_left_to_relay_total');
  const interventions = instruments.counter('recourse_interventions_total');
  // What was never counted is a 0, so that its first one shows as an increase.
  for (const saga of sagas) accepted.inc({ saga }, 0);
  for (const reason of TURNED_AWAY) turnedAway.inc({ reason }, 0);
  for (const kind of INTERVENTIONS) interventions.inc({ kind }, 0);
  return Object.freeze<OwnMeters>({
    answered({ method, route, status, durationMs }) {
      const labels = {
        method: METHODS.has(method) ? method : 'other',
        route: route ?? 'none',
        status: `${Math.floor(status / 100)}xx`,
      };
      requests.observe(labels, durationMs / 1_000);
    },
    refused: (code) => problems.inc({ code }),
    turnedAway: (reason) => turnedAway.inc({ reason }),
    accepted: (saga) => accepted.inc({ saga }),
    leftToRelay: () => left.inc(),
    intervened: (kind) => interventions.inc({ kind }),
  });
}
