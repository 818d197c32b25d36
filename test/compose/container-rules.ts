import { isJob, isOurs, type Service } from './compose-file.js';
import { rule, type Rule } from './rule.js';

const LOOPBACK = /^(127\.0\.0\.1|\$\{[A-Z_]+:-127\.0\.0\.1\}):/;
const EXACT = /^(postgres|temporalio\/(?!auto-setup)[a-z-]+):\d+\.\d+/;
/** Beside the heap there is what is not in it: code, buffers, the SDK's core. */
const HEAP_SHARE = 0.65;
/** What a name is given that must not be read by whoever may describe a container. */
const SECRET_NAME = /(PASSWORD|PWD|_KEYS?|SECRET|TOKEN|DATABASE_URL)$/;
const SECRET_VALUE = /:\/\/[^/\s]*:[^/\s]*@/;

/** What keeps a container small, and alive. */
export const containerRules: readonly Rule[] = [
  rule(
    'every service is built here or is an exact version',
    ({ image = '', build }) => build !== '.' && !EXACT.test(image) && `is of ${image}`,
    { image: 'temporalio/auto-setup:1.29.1' },
  ),
  rule(
    'a name that is ours is looked for nowhere else',
    (service) =>
      service.build !== undefined &&
      (service as { pull_policy?: string }).pull_policy !== 'build' &&
      'may be pulled',
    { build: '.', image: 'recourse' },
  ),
  rule(
    'what must be there is started again and looked after',
    (service) => {
      if (isJob(service)) return undefined;
      if (service.restart !== 'unless-stopped') return 'stays dead';
      return service.healthcheck?.test === undefined && 'nobody sees whether it works';
    },
    { restart: 'unless-stopped' },
  ),
  rule(
    'processors and memory are limited',
    ({ deploy }) => {
      const { cpus, memory } = deploy?.resources?.limits ?? {};
      return (cpus === undefined || memory === undefined) && 'may take all there is';
    },
    { deploy: { resources: { limits: { memory: '1g' } } } },
  ),
  rule(
    'the heap of a process of ours ends well before its container does',
    (service) => {
      if (!isOurs(service)) return undefined;
      const heap = Number(service.command?.join(' ').match(/--max-old-space-size=(\d+)/)?.[1]);
      const memory = megabytes(service.deploy?.resources?.limits?.memory);
      return !(heap <= HEAP_SHARE * memory) && `a heap of ${heap} MB in ${memory} MB`;
    },
    {
      command: ['node', '--max-old-space-size=512'],
      deploy: { resources: { limits: { memory: '512m' } } },
    },
  ),
  rule(
    'no service has a capability that it does not name, or can get one',
    ({ cap_drop = [], security_opt = [] }) =>
      !(cap_drop.includes('ALL') && security_opt.includes('no-new-privileges:true')) &&
      'may do more than it has to',
    { cap_drop: ['ALL'] },
  ),
  rule(
    'what is ours cannot write, and hears a signal from its first moment',
    (service) =>
      isOurs(service) &&
      !(service.read_only === true && service.init === true) &&
      'needs read_only and init',
    { command: ['node', 'dist/src/main.js'], read_only: true },
  ),
  rule(
    'only the API may be reached from outside of the machine',
    ({ ports = [] }, _file, name) => {
      const open = ports.filter((port) => !LOOPBACK.test(port));
      return name !== 'api' && open.length > 0 && `opens ${open.join(', ')}`;
    },
    { ports: ['5432:5432'] },
  ),
  rule(
    'a secret is in a file, and not in the environment',
    ({ environment = {} }) =>
      Object.entries(environment)
        .filter(([name, value]) => SECRET_NAME.test(name) || SECRET_VALUE.test(value))
        .map(([name]) => name)
        .join(', '),
    { environment: { DATABASE_URL: 'postgres://recourse:${PASSWORD}@postgres/recourse' } },
  ),
  rule(
    'no log grows for ever',
    ({ logging, build }, _file, name) =>
      !(build !== undefined && name === 'sandbox') &&
      logging?.options?.['max-size'] === undefined &&
      'its log grows for ever',
    { logging: { options: { 'max-file': '3' } } },
  ),
];

function megabytes(memory: string | undefined): number {
  const [, number = '', unit] = /^([\d.]+)([mg])$/.exec(memory ?? '') ?? [];
  return Number(number) * (unit === 'g' ? 1024 : 1);
}

/** Seconds of a duration such as `45s`. */
export function graceSeconds({ stop_grace_period: grace }: Service): number {
  return Number(/^(\d+)s$/.exec(grace ?? '10s')?.[1]);
}
