import type { NativeConnection } from '@temporalio/worker';
import { faultOf } from '../runs/temporal-fault.client.js';
import type { TemporalFault } from '../runs/temporal-runs.js';

/** Registered once a namespace; filters and the stuck list of Temporal's pages live on them. */
const REQUIRED = {
  SagaState: 'Keyword',
  SagaDirection: 'Keyword',
  SagaStep: 'Keyword',
  SagaAccount: 'Keyword',
  SagaProblem: 'Keyword',
  SagaStuckSince: 'Datetime',
} as const;

/** Thrown when the namespace lacks search attributes; says the command that registers them. */
export class SearchAttributesMissing extends Error {
  override readonly name = 'SearchAttributesMissing';

  constructor(namespace: string, missing: readonly string[]) {
    const flags = missing.map((name) => `--name ${name} --type ${typeOf(name)}`).join(' ');
    super(
      `namespace ${namespace} lacks search attributes; register them with: ` +
        `temporal operator search-attribute create --namespace ${namespace} ${flags}`,
    );
  }
}

function typeOf(name: string): string {
  return Object.entries(REQUIRED).find(([required]) => required === name)?.[1] ?? 'Keyword';
}

/** Temporal Cloud has no operator service, and a cluster may keep it for its operators. */
const REFUSED: ReadonlySet<string> = new Set([
  'PERMISSION_DENIED',
  'UNAUTHENTICATED',
  'UNIMPLEMENTED',
]);

/**
 * Checks that every search attribute is registered. Answers null when they are, and the refusal
 * when Temporal does not let us ask: then a start without one is refused later, and shows.
 *
 * @throws SearchAttributesMissing, and TemporalFault when there was no answer.
 */
export async function checkSearchAttributes(
  connection: NativeConnection,
  namespace: string,
): Promise<TemporalFault | null> {
  try {
    const answer = await connection.operatorService.listSearchAttributes({ namespace });
    const known = answer.customAttributes ?? {};
    const missing = Object.keys(REQUIRED).filter((name) => !(name in known));
    if (missing.length === 0) return null;
    throw new SearchAttributesMissing(namespace, missing);
  } catch (error) {
    if (error instanceof SearchAttributesMissing) throw error;
    const fault = faultOf(error, 'search attributes');
    if (REFUSED.has(fault.code)) return fault;
    throw fault;
  }
}
