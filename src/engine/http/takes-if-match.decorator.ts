import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiHeader } from '@nestjs/swagger';
import { IF_MATCH } from './describe.decorator.js';

/** Tells the description that an operation may be asked for on condition that nothing changed. */
export const TakesIfMatch = (what: string): MethodDecorator =>
  applyDecorators(
    ApiExtension(IF_MATCH, { what }),
    ApiHeader({
      name: 'If-Match',
      required: false,
      description:
        `The ETag of the ${what} as it was read: it is done only if nothing has changed since. ` +
        'A repeat under the same Idempotency-Key is answered without looking at it.',
      schema: { type: 'string', example: '"12-UX7BzIqrvPw4A7TI69QfyJ"' },
    }),
  );
