import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { ANSWER_HEADERS } from '../../src/engine/http/answer-headers.js';
import { PROBLEMS } from '../../src/engine/http/problem.js';
import { describedApi } from '../support/described-api.js';

interface Media {
  readonly schema: object;
  readonly examples?: Record<string, { readonly value?: unknown; readonly $ref?: string }>;
}

interface Operation {
  readonly requestBody?: { readonly content: Record<string, Media> };
  readonly responses: Record<string, { readonly content?: Record<string, Media> }>;
}

const description = (await describedApi('https://api.example.com')) as unknown as {
  paths: Record<string, Record<string, Operation>>;
  components: { examples: Record<string, { value: unknown }> };
};
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(description, 'api');

/** Each place where JSON is sent or answered. */
const places = Object.entries(description.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, { requestBody, responses }]) => {
    const at = `/paths/${path.replaceAll('/', '~1')}/${method}`;
    const answered = Object.entries(responses).map(
      ([status, { content }]) => [`${at}/responses/${status}`, content] as const,
    );
    const all = [...answered, [`${at}/requestBody`, requestBody?.content] as const];
    return all.flatMap(([where, content = {}]) =>
      Object.entries(content)
        .filter(([type]) => type.endsWith('json'))
        .map(([type, media]) => [`${where}/content/${type.replaceAll('/', '~1')}`, media] as const),
    );
  }),
);

test.each(places)('%s has examples, and its schema allows each', (where, { examples = {} }) => {
  const values = Object.entries(examples).map(([name, { value, $ref }]) =>
    $ref === undefined ? value : description.components.examples[name]?.value,
  );
  expect(values.length).toBeGreaterThan(0);
  for (const value of values) {
    const allowed = ajv.validate({ $ref: `api#${encodeURI(`${where}/schema`)}` }, value);
    expect([value, allowed ? null : ajv.errorsText()]).toEqual([value, null]);
  }
});

test.each(Object.entries(ANSWER_HEADERS))('the example of %s is one', (_name, header) => {
  expect(ajv.validate(header.schema, header.example)).toBe(true);
});

test.each(Object.entries(PROBLEMS))('the headers of %s are described', (_code, kind) => {
  const { headers = {} } = 'example' in kind && 'headers' in kind.example ? kind.example : {};
  for (const [name, value] of Object.entries(headers)) {
    const { schema } = ANSWER_HEADERS[name as keyof typeof ANSWER_HEADERS];
    const read = 'type' in schema && schema.type === 'integer' ? Number(value) : value;
    expect([name, ajv.validate(schema, read)]).toEqual([name, true]);
  }
});
