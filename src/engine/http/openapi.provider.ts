import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { RECOURSE_VERSION } from './front-door.provider.js';
import { PROBLEM_MEDIA_TYPE, PROBLEMS } from './problem.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const PROBLEM_REF = { $ref: '#/components/schemas/Problem' };

/** Describes the HTTP interface from the controllers and their schemas, problems included. */
export function describeApi(app: INestApplication): OpenAPIObject {
  const settings = new DocumentBuilder()
    .setTitle('Recourse')
    .setOpenAPIVersion('3.0.3')
    .setVersion(RECOURSE_VERSION)
    .setDescription('Every error is application/problem+json (RFC 9457) with a stable `code`.')
    .addBearerAuth({ type: 'http', scheme: 'bearer' }, 'apiKey')
    .addSecurityRequirements('apiKey')
    .build();
  const document = SwaggerModule.createDocument(app, settings);
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, Problem: problemSchema() },
  };
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation !== undefined) complete(operation, path);
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

/** What every operation can answer, and who needs no key. */
function complete(operation: Operation, path: string): void {
  if (!path.startsWith('/v1/')) operation.security = [];
  operation.responses['default'] = {
    description: 'An error; `code` says which.',
    content: { [PROBLEM_MEDIA_TYPE]: { schema: PROBLEM_REF } },
  };
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
