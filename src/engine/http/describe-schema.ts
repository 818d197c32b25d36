type Way = 'input' | 'output';

/** A schema of Standard JSON Schema, as zod's are. */
interface SaysItself {
  readonly '~standard': {
    readonly jsonSchema: Readonly<
      Record<Way, (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>>
    >;
  };
}

/**
 * The JSON Schema (2020-12, that of OpenAPI 3.1) of a schema that can say it, with the schemas that
 * have names of their own beside it; undefined for any other.
 */
export function describeSchema(
  schema: unknown,
  { schemaType }: { readonly schemaType: Way },
): { schema: object; components: Record<string, unknown> } | undefined {
  if (!saysItself(schema)) return undefined;
  const said = schema['~standard'].jsonSchema[schemaType]({ target: 'draft-2020-12' });
  const { $schema: _dialect, $defs: components, ...rest } = said;
  return { schema: rest, components: { ...(components as object | undefined) } };
}

function saysItself(schema: unknown): schema is SaysItself {
  if (typeof schema !== 'object' || schema === null || !('~standard' in schema)) return false;
  const standard = schema['~standard'];
  return typeof standard === 'object' && standard !== null && 'jsonSchema' in standard;
}
