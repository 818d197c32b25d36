import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { BODY_EXAMPLES, REFUSES } from './describe.decorator.js';
import { RECOURSE_VERSION } from './front-door.provider.js';
import { isProblemCode, PROBLEM_MEDIA_TYPE, PROBLEMS, type ProblemCode } from './problem.js';
import { describeRefusals, problemExamples, problemsOf } from './refusals.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const PROBLEM_REF = { $ref: '#/components/schemas/Problem' };

const ABOUT = `
Everything under \`/v1\` needs a key: press **Authorize** and paste one.

Every \`POST\` takes an \`Idempotency-Key\` of your own. Send the same key again, after whatever
failure, and you get the first answer again; nothing is done twice.

Every error is \`application/problem+json\` (RFC 9457) with a stable \`code\`; its \`type\` leads to
[a page about it](problems). Members, events and values of enums may be added: ignore what you do
not know. Lists are pages: give \`next_cursor\` as \`cursor\` for the next one.

This description as a file: [openapi.json](openapi.json).`.trim();

const TAGS: readonly (readonly [name: string, about: string])[] = [
  ['bookings', 'Trips, for those who book them.'],
  ['runs', 'Any run of any account, for operators.'],
  ['cases', 'What a person must decide, for operators.'],
  ['problems', 'What an error means.'],
  ['health', 'For whoever runs it.'],
];

/**
 * Describes the HTTP interface from the controllers and their schemas, problems included.
 * `publicUrl` is what the `type` of a problem begins with.
 */
export function describeApi(app: INestApplication, publicUrl: string): OpenAPIObject {
  const settings = new DocumentBuilder()
    .setTitle('Recourse')
    .setOpenAPIVersion('3.0.3')
    .setVersion(RECOURSE_VERSION)
    .setDescription(ABOUT)
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'API key', description: 'An API key.' },
      'apiKey',
    )
    .addSecurityRequirements('apiKey');
  for (const [name, about] of TAGS) settings.addTag(name, about);
  const document = SwaggerModule.createDocument(app, settings.build());
  const codes = Object.keys(PROBLEMS).filter(isProblemCode);
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, Problem: problemSchema() },
    examples: problemExamples(codes, publicUrl),
  };
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation !== undefined) complete(operation, method, path);
    }
  }
  for (const [name, schema] of Object.entries(document.components.schemas ?? {})) {
    if (!name.endsWith('Request') && name !== 'Money') open(schema);
  }
  return document;
}

/** Members may be added to what is answered; what is sent stays closed. */
function open(schema: object): void {
  for (const [name, part] of Object.entries(schema) as [string, unknown][]) {
    if (name === 'additionalProperties' && part === false) Reflect.deleteProperty(schema, name);
    else if (typeof part === 'object' && part !== null) open(part);
  }
}

/** What an operation can answer, what can be sent to it, and whether it needs no key. */
function complete(operation: Operation, method: string, path: string): void {
  if (!path.startsWith('/v1/')) operation.security = [];
  const form = {
    method,
    path,
    tags: operation.tags ?? [],
    hasQuery: (operation.parameters ?? []).some((one) => 'in' in one && one.in === 'query'),
    named: (take(operation, REFUSES) as { codes: ProblemCode[] } | undefined)?.codes ?? [],
  };
  Object.assign(operation.responses, describeRefusals(problemsOf(form)));
  operation.responses['default'] = {
    description: 'Any other error; its `code` says which.',
    content: { [PROBLEM_MEDIA_TYPE]: { schema: PROBLEM_REF } },
  };
  const examples = take(operation, BODY_EXAMPLES);
  const body = operation.requestBody;
  const json = body !== undefined && 'content' in body ? body.content['application/json'] : null;
  if (examples !== undefined && json) Object.assign(json, { examples });
}

/** What a decorator left on the operation for here, and for nobody else. */
function take(operation: Operation, name: string): unknown {
  const left: unknown = Reflect.get(operation, name);
  Reflect.deleteProperty(operation, name);
  return left;
}

function problemSchema(): NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string] {
  return {
    type: 'object',
    required: ['type', 'code', 'title', 'status', 'detail', 'request_id'],
    properties: {
      type: { type: 'string', format: 'uri' },
      code: { type: 'string', enum: Object.keys(PROBLEMS) },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      request_id: { type: 'string' },
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['pointer', 'code'],
          properties: { pointer: { type: 'string' }, code: { type: 'string' } },
        },
      },
    },
  };
}
