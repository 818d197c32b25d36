import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { memberErrors, toPointer, type MemberError } from './member-error.js';
import { Problem } from './problem.js';
import { RawBody } from './raw-body.js';
import { sayErrors, sayIssues } from './say-errors.js';

/**
 * Checks bodies and queries that name a schema: `@Body({ schema })`, `@Query({ schema })`. A body
 * is read as strict JSON first. Throws Problem: body-invalid or query-invalid with a pointer to
 * each member, and what RawBody throws.
 */
@Injectable()
export class SchemaPipe implements PipeTransform {
  async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.schema === undefined) return value;
    const code = metadata.type === 'body' ? 'body-invalid' : 'query-invalid';
    const given = value instanceof RawBody ? value.json() : value;
    if (metadata.type === 'query') refuseNul(given);
    const result = await metadata.schema['~standard'].validate(given);
    if (result.issues === undefined) return result.value;
    throw new Problem(code, {
      detail: sayIssues(result.issues, given, code === 'body-invalid' ? 'The body' : 'The query'),
      errors: memberErrors(result.issues, given),
    });
  }
}

/** Postgres keeps no NUL in a text, so nothing can be found by one. */
function refuseNul(query: unknown): void {
  const errors = Object.entries(query ?? {})
    .filter(([, value]) => String(value).includes('\0'))
    .map(([name]): MemberError => ({ pointer: toPointer([name]), code: 'character-not-allowed' }));
  if (errors.length > 0) {
    throw new Problem('query-invalid', { detail: sayErrors(errors, 'The query'), errors });
  }
}
