import {
  applyDecorators,
  Injectable,
  SetMetadata,
  UseGuards,
  UseInterceptors,
  type CanActivate,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { SAMPLE_KEY } from '../http/docs-page.js';
import { KEY_PATTERN, readIdempotencyKey } from './idempotency-key.js';
import { PHASES } from './phased-claims.provider.js';
import { PhasesInterceptor } from './phases.interceptor.js';
import type { PhasedHandler } from './phases.js';

/** Reads the key before anybody reads the body. Throws Problem: key-missing, key-malformed. */
@Injectable()
class IdempotencyKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    request.idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
    return true;
  }
}

type AnyMethod<Answer> = (...given: never[]) => Answer | Promise<Answer>;
/** Decorates a method that answers this. */
type DecoratorOf<Answer> = <Method extends AnyMethod<Answer>>(
  target: object,
  name: string | symbol,
  method: TypedPropertyDescriptor<Method>,
) => void;

/**
 * Marks a POST that takes an Idempotency-Key, as every POST under /v1 must. The method does its
 * work in one transaction, by what takes a `CurrentClaim`. With `phases` it only answers the input
 * of that handler, a provider of the domain's module: it must change nothing, and is called for
 * every try. The handler does the work, once, and any API process goes on with it after a crash.
 */
export function Idempotent(): MethodDecorator;
export function Idempotent<Input>(options: {
  readonly phases: Type<PhasedHandler<Input>>;
}): DecoratorOf<Input>;
export function Idempotent(options?: { readonly phases: unknown }): MethodDecorator {
  return applyDecorators(
    UseGuards(IdempotencyKeyGuard),
    ...(options === undefined
      ? []
      : [SetMetadata(PHASES, options.phases), UseInterceptors(PhasesInterceptor)]),
    ApiHeader({
      name: 'Idempotency-Key',
      required: true,
      description:
        'A key of your own, such as a random UUID: a new one for each thing you want done, the ' +
        'same one on every retry of it; 1 to 255 printable ASCII characters, bare or as a quoted ' +
        'string, which are the same key. The same key with the same body gets the first answer ' +
        'again, with `Idempotent-Replayed: true`, until `Idempotency-Expires`, seven days after ' +
        'it was claimed; with another body it is refused.',
      schema: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        pattern: KEY_PATTERN,
        example: SAMPLE_KEY,
      },
    }),
  );
}
