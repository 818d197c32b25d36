import type { AnswerTable } from 'recourse/activity';
import { z } from 'zod';
import { ProviderId } from './answer-fields.js';

/** A message is sent by somebody else later: taken in is all that anybody can confirm. */
export const MESSAGE_ANSWERS: AnswerTable = [{ status: 202, means: 'done' }];

export const TakenInAnswer = z.object({ id: ProviderId });
export type TakenInAnswer = z.infer<typeof TakenInAnswer>;
