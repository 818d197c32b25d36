import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { describeHeaders, headerComponents, type HeaderName } from './answer-headers.js';
import { linkOperations, type LinkedPaths } from './describe-links.js';
import { describeSchema } from './describe-schema.js';
import {
  ANSWERS,
  BODY_EXAMPLES,
  IF_MATCH,
  NEEDS_ROLE,
  REFUSES,
  type AnswersForm,
} from './describe.decorator.js';
import { isProblemCode, PROBLEMS, type ProblemCode } from './problem.js';
import { RECOURSE_VERSION, RECOURSE_VERSIONS } from './recourse-version.js';
import { describeRefusals, problemExamples, problemsOf } from './refusals.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Components = NonNullable<OpenAPIObject['components']>;
type Responses = NonNullable<Components['responses']>;
type Answer = Extract<NonNullable<Operation['responses'][string]>, { description: string }>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const JSON_TYPE = 'application/json';

const ABOUT = `
Everything under \`/v1\` needs a key: press **Authorize** and paste one.

Every \`POST\` takes an \`Idempotency-Key\` of your own. Send the same key again, after whatever
failure, and you get the first answer again; nothing is done twice.

Every error is \`application/problem+json\` (RFC 9457) with a stable \`code\`; its \`type\` leads to
[a page about it](problems). A path that has another method answers 405 with \`Allow\`, one that is
none 404. Members, events and values of enums may be added: ignore what you do not know. Lists are
pages: give \`next_cursor\` as \`cursor\` for the next one.

This description as a file: [openapi.json](openapi.json).`.trim();

/** On every answer to a request that counts against what its account may ask for. */
const OF_COUNTED: readonly HeaderName[] = ['RateLimit', 'RateLimit-Policy'];

const DEADLINE: NonNullable<Operation['parameters']>[number] = {
  name: 'Recourse-Deadline',
  in: 'header',
  required: false,
  description:
    'Until when an answer is of use to you: a request that comes later, or could not be worked ' +
    'on before, is refused at once with 503, and nothing is done.',
  schema: { type: 'string', format: 'date-time', example: '2099-01-01T00:00:00.000Z' },
};

const TAGS: readonly (readonly [name: string, about: string])[] = [
  ['bookings', 'Trips, for those who book them.'],
  ['runs', 'Any run of any account, for operators.'],
  ['cases', 'What a person must decide, for operators.'],
  ['problems', 'What an error means.'],
  ['health', 'For whoever runs it.'],
];

/**
 * Describes the HTTP interface as OpenAPI 3.1 from the controllers and their schemas: each answer
 * with its status, headers, problems and an example, and links from lists to what is in them.
 * `publicUrl` is what the `type` of a problem begins with.
 */
export function describeApi(app: INestApplication, publicUrl: string): OpenAPIObject {
  const settings = new DocumentBuilder()
    .setTitle('Recourse')
    .setOpenAPIVersion('3.1.1')
    .setVersion(RECOURSE_VERSION)
    .setDescription(ABOUT)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/', 'Where this description is served.')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'API key', description: 'An API key.' },
      'apiKey',
    )
    .addSecurityRequirements('apiKey');
  for (const [name, about] of TAGS) settings.addTag(name, about);
  const document = SwaggerModule.createDocument(app, settings.build(), {
    standardSchemaConverter: describeSchema,
    operationIdFactory: nameOperation,
  });
  const codes = Object.keys(PROBLEMS).filter(isProblemCode);
  const components: Components = {
    ...document.components,
    schemas: { ...document.components?.schemas, Problem: problemSchema() },
    examples: problemExamples(codes, publicUrl),
    // No operation has it: it is what a path answers to a method that it has not.
    responses: { MethodNotAllowed: describeRefusals(['method-not-allowed'])['405'] } as Responses,
  };
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation !== undefined) complete(operation, method, path);
    }
  }
  linkOperations(document.paths as unknown as LinkedPaths);
  for (const [name, schema] of Object.entries(components.schemas ?? {})) {
    if (!name.endsWith('Request') && name !== 'Money') open(schema);
  }
  const headers = headerComponents([document.paths, components.responses]);
  document.components = { ...components, headers };
  return document;
}

/** What every operation with a key takes. */
const VERSION_PARAMETER = {
  name: 'Recourse-Version',
  in: 'header' as const,
  required: false,
  description: 'The version to answer with; without it the one that the account is pinned to.',
  schema: { type: 'string' as const, enum: [...RECOURSE_VERSIONS] },
};

/** `BookingController`, `read` is `bookingRead`: what code that is made of this calls it. */
function nameOperation(controller: string, method: string): string {
  const [first = '', ...rest] = controller.replace(/Controller$/, '');
  const [letter = '', ...more] = method;
  return [first.toLowerCase(), ...rest, letter.toUpperCase(), ...more].join('');
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
  const isOfAccount = path.startsWith('/v1/');
  const asked = [DEADLINE, VERSION_PARAMETER];
  if (isOfAccount) operation.parameters = [...(operation.parameters ?? []), ...asked];
  else operation.security = [];
  const counted = isOfAccount ? OF_COUNTED : [];
  const form = {
    method,
    path,
    hasQuery: (operation.parameters ?? []).some((one) => 'in' in one && one.in === 'query'),
    needsRole: take(operation, NEEDS_ROLE) !== undefined,
    named: [
      ...((take(operation, REFUSES) as { codes: ProblemCode[] } | undefined)?.codes ?? []),
      ...(take(operation, IF_MATCH) === undefined ? [] : (['changed-since-you-looked'] as const)),
    ],
  };
  const answers = (take(operation, ANSWERS) ?? { examples: {} }) as AnswersForm;
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (status.startsWith('2')) completeAnswer(answer as Answer, answers, method, counted);
  }
  if (method === 'get' && answers.always?.includes('ETag') === true) {
    describeKnown(operation, answers, counted);
  }
  Object.assign(operation.responses, describeRefusals(problemsOf(form), counted));
  const examples = take(operation, BODY_EXAMPLES);
  const body = operation.requestBody;
  const json = body !== undefined && 'content' in body ? body.content[JSON_TYPE] : null;
  if (examples !== undefined && json) Object.assign(json, { examples });
}

/** What has a tag need not be sent again to who has it. */
function describeKnown(
  operation: Operation,
  { always = [], sometimes = [] }: AnswersForm,
  counted: readonly HeaderName[],
): void {
  operation.parameters?.push({
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The ETag of what was read before: 304, without a body, where it is still so.',
    schema: { type: 'string', example: '"7-hV2Xw0Z1l8m3Yk5bq9Tt4g"' },
  });
  operation.responses['304'] = {
    description: 'It is as it was read before.',
    headers: { ...describeHeaders({ always: [...always, ...counted], sometimes }) },
  };
}

function completeAnswer(
  answer: Answer,
  form: AnswersForm,
  method: string,
  counted: readonly HeaderName[],
): void {
  const { always = [], sometimes = [], page = false } = form;
  const ofClaim = ['Idempotency-Expires', 'Idempotent-Replayed'] as const;
  const ofPage = ['Content-Security-Policy', 'X-Content-Type-Options'] as const;
  answer.headers = {
    ...answer.headers,
    ...describeHeaders({
      always,
      sometimes: [
        ...sometimes,
        ...counted,
        ...(method === 'post' ? ofClaim : []),
        ...(page ? ofPage : []),
      ],
    }),
  };
  const json = answer.content?.[JSON_TYPE];
  if (json !== undefined) Object.assign(json, { examples: form.examples });
  if (page) Object.assign(answer.content ?? {}, { 'text/html': { schema: { type: 'string' } } });
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
