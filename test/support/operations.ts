import type { OpenAPIObject } from '@nestjs/swagger';

/** One way to ask an API, as its description has it. */
export interface Operation {
  readonly method: string;
  /** As OpenAPI writes it: `/v1/bookings/{id}`. */
  readonly path: string;
  /** Who may: everybody, every key, or the keys of operators. */
  readonly needs: 'nothing' | 'key' | 'operator';
  /** What its ids are of, such as `bookings`; null: it has none. */
  readonly collection: string | null;
  readonly streams: boolean;
  /** A body that it takes. */
  readonly body: unknown;
}

interface Described {
  readonly security?: readonly object[];
  readonly responses: Readonly<Record<string, { readonly content?: object } | undefined>>;
  readonly requestBody?: {
    readonly content?: Readonly<
      Record<string, { readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }>
    >;
  };
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Every operation that a description has; what can be read can be asked for with HEAD too. */
export function operationsOf(description: OpenAPIObject): readonly Operation[] {
  return Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item as Readonly<Record<string, Described>>)
      .filter(([method]) => METHODS.includes(method))
      .flatMap(([method, described]) => {
        const one = operationOf(method.toUpperCase(), path, described);
        return method === 'get' ? [one, { ...one, method: 'HEAD' }] : [one];
      }),
  );
}

function operationOf(method: string, path: string, described: Described): Operation {
  const { security, responses, requestBody } = described;
  const json = requestBody?.content?.['application/json'];
  const [example] = Object.values(json?.examples ?? {});
  const needs = responses['403'] === undefined ? 'key' : 'operator';
  return {
    method,
    path,
    needs: security?.length === 0 ? 'nothing' : needs,
    collection: /\/([a-z-]+)\/\{/.exec(path)?.[1] ?? null,
    streams: 'text/event-stream' in (responses['200']?.content ?? {}),
    body: example?.value,
  };
}
