import { ticksOf, type RunRecord } from '../journal/run-record.js';
import { callOf, stepNamed, type SagaDefinition } from '../saga/definition.js';
import { forecast, type Expected } from '../saga/forecast.js';
import { viewRun, type RunView } from '../saga/run-view.js';
import type { ActionView, ExpectedView } from './action-schema.js';
import { sayExpected } from './say-expected.js';

/** An action or a verdict, with the record before and after it. */
export interface ActionTaken {
  readonly action: string;
  readonly case: string | null;
  readonly dryRun: boolean;
  readonly before: RunRecord;
  readonly after: RunRecord;
}

/** Shows what an action changes, and what follows from it. */
export function presentAction(taken: ActionTaken): ActionView {
  const { action, before, after } = taken;
  const view = viewRun(after.state);
  return {
    object: 'action',
    run: after.id,
    action,
    case: taken.case,
    dry_run: taken.dryRun,
    changes: after.state.lastSeq > before.state.lastSeq,
    before: stand(viewRun(before.state)),
    after: stand(view),
    follows: forecast(after.state, ticksOf(after)).map((one) =>
      presentExpected(after.definition, one),
    ),
    remains: [...view.remains],
  };
}

function stand({ state, direction, status }: RunView): ActionView['before'] {
  return { state, direction, status };
}

function presentExpected(definition: SagaDefinition, expected: Expected): ExpectedView {
  const step = 'step' in expected ? stepNamed(definition, expected.step) : null;
  const direction = 'direction' in expected ? expected.direction : null;
  return {
    turn: expected.turn,
    kind: expected.kind,
    text: sayExpected(definition, expected),
    step: step?.name ?? null,
    direction,
    act: actOf(definition, expected),
    provider: step?.at ?? null,
    attempt: 'attempt' in expected ? expected.attempt : null,
    only_if: 'onlyIf' in expected ? expected.onlyIf : null,
    wait_ms: 'ms' in expected ? expected.ms : null,
    problem: 'problem' in expected ? expected.problem : null,
    case: 'case' in expected ? expected.case : null,
    because: 'because' in expected ? expected.because : null,
    ends_as: 'as' in expected ? expected.as : null,
  };
}

/** What is called, and by what the provider is asked. */
function actOf(definition: SagaDefinition, expected: Expected): string | null {
  switch (expected.kind) {
    case 'call':
    case 'learn':
      return callOf(stepNamed(definition, expected.step), expected.direction)?.run ?? null;
    case 'ask':
      return callOf(stepNamed(definition, expected.step), expected.direction)?.find ?? null;
    case 'await':
    case 'wait':
    case 'person':
    case 'turn-back':
    case 'end':
      return null;
  }
}
