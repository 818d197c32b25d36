import type { NativeConnection } from '@temporalio/worker';

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

/** Checks that every search attribute is registered; throws SearchAttributesMissing. */
export async function checkSearchAttributes(
  connection: NativeConnection,
  namespace: string,
): Promise<void> {
  const answer = await connection.operatorService.listSearchAttributes({ namespace });
  const known = answer.customAttributes ?? {};
  const missing = Object.keys(REQUIRED).filter((name) => !(name in known));
  if (missing.length > 0) throw new SearchAttributesMissing(namespace, missing);
}
