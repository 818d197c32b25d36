import { NO_SUCH_THING } from 'recourse';
import type { AnswerTable } from 'recourse/activity';
import { z } from 'zod';
import { ProviderId } from './answer-fields.js';

/** Hotels knows no keys and cannot be asked: what is unknown here, only a person can find out. */
export const RESERVE_ANSWERS: AnswerTable = [];

/**
 * 204 is done, and so is a room that is cancelled already: twice is harmless. 202 means that the
 * room's state is not known yet. A 200 is not in the protocol, so it confirms nothing. A 404
 * without an error code comes from somebody who does not know the hotel either.
 */
export const RELEASE_ANSWERS: AnswerTable = [
  { status: 200, means: 'unknown' },
  { status: 202, means: 'unknown', as: 'state-unknown' },
  { status: 204, means: 'done' },
  { status: 404, needsCode: true, means: 'refused', as: NO_SUCH_THING },
  { status: 409, code: 'already_cancelled', means: 'done' },
];

export const ReservedAnswer = z.object({
  id: ProviderId,
  status: z.string(),
  reference: z.string(),
});
export type ReservedAnswer = z.infer<typeof ReservedAnswer>;

/** Status and code say all; there is nothing in the body of a released room. */
export const ReleasedAnswer = z.unknown().transform(() => null);
