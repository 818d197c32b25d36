import type { Decision, DecisionTools } from './answer.js';
import { oneEffect } from './answer.js';

/** Messages: knows no keys and cannot be asked. Every request that gets through is a message. */

export interface MessagesCall {
  readonly provider: 'messages';
  readonly operation: 'send';
  readonly reference: string;
  readonly kind: string;
}

export interface MessagesEffect {
  readonly provider: 'messages';
  readonly operation: 'send';
  readonly kind: 'message';
  readonly id: string;
  readonly reference: string;
  /** What the message is about, as the caller named it: `receipt`. */
  readonly message_kind: string;
}

/** Decides one call: there is no state to look at. */
export function decideMessages(call: MessagesCall, tools: DecisionTools): Decision<MessagesEffect> {
  const { provider, operation, reference, kind } = call;
  const id = `ms_${tools.newId()}`;
  const answer = { status: 202, body: { id } };
  return oneEffect(answer, {
    provider,
    operation,
    kind: 'message',
    id,
    reference,
    message_kind: kind,
  });
}
