import { existsSync, readFileSync } from 'node:fs';
import { readConfig } from '../../src/config.js';
import { SEARCH_ATTRIBUTES } from '../../src/local/temporal-server.process.js';
import { interpolate, isJob, isOurs, type Service } from './compose-file.js';
import { graceSeconds } from './container-rules.js';
import { rule, type Rule } from './rule.js';

const SECRETS_FOLDER = '/run/secrets/';
const text = (path: string): string => readFileSync(path, 'utf8');

/** What whoever deploys has to say. */
export const DEPLOYER: Readonly<Record<string, string>> = {
  PUBLIC_URL: 'https://bookings.example.com',
  PAYMENTS_URL: 'https://payments.example.com',
  FLIGHTS_URL: 'https://flights.example.com',
  HOTELS_URL: 'https://hotels.example.com',
  MESSAGES_URL: 'https://messages.example.com',
};

/** The environment of a service, as compose would hand it over. */
export function environmentOf(
  { environment = {} }: Service,
  given: Readonly<Record<string, string>> = DEPLOYER,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, interpolate(value, given)]),
  );
}

/** How long a process of ours may take to end, as its source says, in milliseconds. */
const DRAINS: Readonly<Record<string, { readonly file: string; readonly limit: string }>> = {
  api: { file: 'src/main.ts', limit: 'DRAIN_LIMIT_MS' },
  worker: { file: 'src/engine/worker/start-workers.process.ts', limit: 'FORCE_MS' },
};

/** What holds between the file and the code, and between the services. */
export const jointRules: readonly Rule[] = [
  rule(
    'a process of ours is started from a file that is built from a source',
    (service) => {
      const built = service.command?.find((word) => word.startsWith('dist/')) ?? '';
      const source = built.replace('dist/', '').replace(/\.js$/, '.ts');
      return isOurs(service) && !existsSync(source) && `${source} is not there`;
    },
    { command: ['node', 'dist/src/no-such-process.js'] },
  ),
  rule(
    'a process of ours is given only variables that are read',
    (service, _file, name) => {
      if (!isOurs(service)) return undefined;
      const own = text('src/config.ts') + text('src/booking-config.ts');
      const reader = name === 'sandbox' ? text('src/sandbox/main.ts') : own;
      return Object.keys(service.environment ?? {})
        .filter((variable) => !new RegExp(`\\b${variable.replace(/_FILE$/, '')}: `).test(reader))
        .join(', ');
    },
    { command: ['node', 'dist/src/main.js'], environment: { DATABASE: 'recourse' } },
  ),
  rule(
    'what a process of ours is given is all it needs, and right',
    (service) => {
      if (!/\/(main|worker|relay)\.js /.test(`${service.command?.join(' ')} `)) return undefined;
      if (service.command?.includes('dist/src/sandbox/main.js')) return undefined;
      const secret = (path: string): string =>
        path.endsWith('database_url') ? 'postgres://recourse:0@postgres/recourse' : 'a-secret';
      try {
        readConfig(environmentOf(service), secret);
        return undefined;
      } catch (error) {
        return String(error);
      }
    },
    { command: ['node', 'dist/src/relay.js'], environment: { TEMPORAL_ADDRESS: 'temporal:7233' } },
  ),
  rule(
    'a secret that is named is mounted, and one that is mounted is declared',
    ({ environment = {}, secrets = [] }, { secrets: declared = {} }) => {
      const named = Object.values(environment)
        .filter((value) => value.startsWith(SECRETS_FOLDER))
        .map((value) => value.slice(SECRETS_FOLDER.length));
      const missing = named.filter((secret) => !secrets.includes(secret));
      return [...missing, ...secrets.filter((secret) => !(secret in declared))].join(', ');
    },
    { environment: { PAYMENTS_KEY_FILE: '/run/secrets/payments_key' } },
  ),
  rule(
    'a file that is mounted is in the project',
    ({ configs = [] }, file) =>
      configs
        .filter(({ source }) => !existsSync(file.configs?.[source]?.file ?? ''))
        .map(({ source }) => source)
        .join(', '),
    { configs: [{ source: 'settings', target: '/etc/settings.yaml' }] },
  ),
  rule(
    'a service waits for what exists, and for what it can come to',
    ({ depends_on = {} }, { services }) =>
      Object.entries(depends_on)
        .filter(([name, { condition }]) => {
          const other = services[name];
          if (other === undefined) return true;
          return isJob(other) !== (condition === 'service_completed_successfully');
        })
        .map(([name]) => name)
        .join(', '),
    {
      services: {
        job: { restart: 'on-failure:5' },
        one: { depends_on: { job: { condition: 'service_healthy' } } },
      },
    },
  ),
  rule(
    'a service is in networks that exist; databases and Temporal in inner ones only',
    ({ networks = [] }, file, name) => {
      const unknown = networks.filter((network) => !(network in (file.networks ?? {})));
      const outer = networks.filter((network) => file.networks?.[network]?.internal !== true);
      const mustBeInside = ['postgres', 'temporal', 'relay', 'migrate'].includes(name);
      if (networks.length === 0) return 'is in the network of all';
      return [...unknown, ...(mustBeInside ? outer : [])].join(', ');
    },
    { services: { postgres: { networks: ['outside'] } }, networks: { outside: null } },
  ),
  rule(
    'a process is given longer to end than it takes at most',
    (service, _file, name) => {
      const drain = DRAINS[name];
      if (drain === undefined) return undefined;
      const limit = new RegExp(`${drain.limit} = ([\\d_]+);`).exec(text(drain.file))?.[1] ?? '';
      const needs = Number(limit.replaceAll('_', '')) / 1000;
      const grace = graceSeconds(service);
      return !(needs > 0 && grace >= needs + 2) && `${grace} s for what may take ${needs} s`;
    },
    { services: { worker: { stop_grace_period: '30s' } } },
  ),
  {
    name: 'the namespace is made with the search attributes that the worker asks for',
    offences: (file) => {
      const script = text(file.configs?.['prepare-namespace']?.file ?? '/dev/null');
      const made = [...script.matchAll(/--name (\w+) --type (\w+)/g)].map(String);
      const wanted = Object.entries(SEARCH_ATTRIBUTES).map(([name, type]) => [name, type]);
      const source = text('src/engine/worker/search-attributes.client.ts');
      const asked = [...source.matchAll(/^ {2}(Saga\w+): '(\w+)',$/gm)];
      const lists = [wanted.join(), asked.map(([, name, type]) => `${name},${type}`).join()];
      const here = made.map((line) => line.split(',').slice(1).join()).join();
      return lists.every((list) => list === here) ? [] : [`made: ${here}; asked: ${lists[1]}`];
    },
    refuses: { services: {} },
  },
];
