import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** As much of an answer as its description speaks of. */
export interface Answered {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What an answer does that its description does not allow, one sentence each. */
export type Judge = (answer: Answered) => readonly string[];

interface Described {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, Described>>;
  readonly content?: Readonly<Record<string, object>>;
  readonly required?: boolean;
  readonly schema?: { readonly type?: string };
}

interface Description {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Record<string, Described> }>>>
  >;
}

/** Of HTTP itself, or of the rules of browsers: no description of an API lists them. */
const NOT_OURS =
  /^(date|connection|keep-alive|transfer-encoding|content-(type|length)|access-control-.*)$/;
const UNMATCHED = '/components/responses/MethodNotAllowed';

/** Reads an OpenAPI 3.1 description, and answers who judges answers by it. */
export function judgeBy(description: object): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(description, 'api');
  const { paths } = description as Description;

  const at = (pointer: string): Described =>
    pointer
      .split('/')
      .slice(1)
      .reduce<unknown>(
        (part, name) => (part as Record<string, unknown> | undefined)?.[unescaped(name)],
        description,
      ) as Described;
  const resolved = (pointer: string): string => at(pointer).$ref?.slice(1) ?? pointer;
  const mismatch = (pointer: string, value: unknown): string | null =>
    ajv.validate({ $ref: `api#${encodeURI(pointer)}` }, value) ? null : ajv.errorsText();

  function judgeHeaders(pointer: string, headers: Headers): string[] {
    const described = Object.keys(at(pointer).headers ?? {});
    const known = new Set(described.map((name) => name.toLowerCase()));
    const unknown = [...headers.keys()].filter((name) => !NOT_OURS.test(name) && !known.has(name));
    return [
      ...unknown.map((name) => `has the header ${name}, which is not described`),
      ...described.flatMap((name) => judgeHeader(pointer, name, headers.get(name))),
    ];
  }

  function judgeHeader(pointer: string, name: string, text: string | null): string[] {
    const place = resolved(`${pointer}/headers/${escaped(name)}`);
    const { required, schema } = at(place);
    if (text === null) return required === true ? [`lacks the header ${name}`] : [];
    const value = schema?.type === 'integer' ? Number(text) : text;
    const wrong = mismatch(`${place}/schema`, value);
    return wrong === null ? [] : [`has ${name}: ${text}, but ${wrong}`];
  }

  function judgeBody(pointer: string, { headers, text, method }: Answered): string[] {
    const content = at(pointer).content ?? {};
    const [type = ''] = (headers.get('content-type') ?? '').split(';');
    if (type === '' && Object.keys(content).length === 0) return [];
    if (!(type in content)) return [`has the type ${type || 'none'}, which is not described`];
    if (method === 'HEAD' || !type.endsWith('json')) return [];
    const wrong = mismatch(`${pointer}/content/${escaped(type)}/schema`, JSON.parse(text));
    return wrong === null ? [] : [`has another body than is described: ${wrong}`];
  }

  function responseTo(answer: Answered): string | null {
    const [path = ''] = answer.path.split('?');
    const template = templateOf(Object.keys(paths), path);
    // What lies outside of it is described by nobody, unless it is of the API; a preflight is the
    // browser's own.
    if (answer.method === 'OPTIONS' && answer.status === 204) return null;
    if (template === null) return path.startsWith('/v1/') && answer.status < 400 ? '' : null;
    const method = answer.method === 'HEAD' ? 'get' : answer.method.toLowerCase();
    if (!(method in (paths[template] ?? {}))) return answer.status === 405 ? UNMATCHED : null;
    return `/paths/${escaped(template)}/${method}/responses/${answer.status}`;
  }

  return (answer) => {
    const pointer = responseTo(answer);
    if (pointer === null) return [];
    if (pointer === '' || at(pointer) === undefined) {
      return [`has the status ${answer.status}, which is not described`];
    }
    const place = resolved(pointer);
    return [...judgeHeaders(place, answer.headers), ...judgeBody(place, answer)];
  };
}

/** The path of the description that a path is of; without parameters before one with them. */
export function templateOf(templates: readonly string[], path: string): string | null {
  const asked = path.split('/');
  const fits = templates.filter((template) => {
    const parts = template.split('/');
    return (
      parts.length === asked.length &&
      parts.every((part, index) =>
        part.startsWith('{') ? asked[index] !== '' : part === asked[index],
      )
    );
  });
  return fits.find((template) => !template.includes('{')) ?? fits[0] ?? null;
}

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
const unescaped = (name: string) => name.replaceAll('~1', '/').replaceAll('~0', '~');
