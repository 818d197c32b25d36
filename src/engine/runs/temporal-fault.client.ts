import { isGrpcServiceError } from '@temporalio/client';
import { TemporalFault } from './temporal-runs.js';

/** gRPC's status codes by number. Source: grpc/grpc, doc/statuscodes.md. */
const STATUS = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const;

/** INTERNAL among them: it is what a stream that breaks in the middle of a call looks like. */
const MAY_PASS: ReadonlySet<string> = new Set([
  'CANCELLED',
  'UNKNOWN',
  'DEADLINE_EXCEEDED',
  'RESOURCE_EXHAUSTED',
  'ABORTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
]);

/**
 * What either of Temporal's connections threw, told apart by its code. The client's wraps gRPC's
 * own error, the worker's does not.
 */
export function faultOf(error: unknown, call: string): TemporalFault {
  const cause = error instanceof Error && !isGrpcServiceError(error) ? error.cause : error;
  if (isGrpcServiceError(cause)) {
    const code = STATUS[cause.code] ?? 'UNKNOWN';
    return new TemporalFault(MAY_PASS.has(code) ? 'unavailable' : 'other', code, call, error);
  }
  const code = error instanceof Error ? error.name : typeof error;
  return new TemporalFault('other', code, call, error);
}
