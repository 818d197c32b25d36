import { expect, test } from 'vitest';
import { readBookingProviders } from '../src/booking-config.js';
import { DEFAULT_LIMITS } from '../src/engine/admission/admission-limits.js';
import { ConfigError, readCliConfig, readConfig, type ReadText } from '../src/config.js';

const URL_IN_FILE = 'postgres://recourse:a1b2@postgres:5432/recourse';
const ENV = {
  DATABASE_URL: 'postgres://127.0.0.1/recourse',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  RECOURSE_ENCRYPTION_KEYS: 'k1:c2VjcmV0',
};

/** Files that a test makes up; any other path is not there. */
function files(texts: Readonly<Record<string, string>>): ReadText {
  return (path) => {
    const text = texts[path];
    if (text === undefined) throw Object.assign(new Error(`no ${path}`), { code: 'ENOENT' });
    return text;
  };
}

const without = (name: keyof typeof ENV) => ({ ...ENV, [name]: undefined });

test.each([
  ['as it is', URL_IN_FILE],
  ['without the line break that editors put at its end', `${URL_IN_FILE}\n`],
  ['without line breaks of any kind', `${URL_IN_FILE}\r\n\n`],
])('a secret is read from the file that its variable names, %s', (_how, text) => {
  const env = { ...without('DATABASE_URL'), DATABASE_URL_FILE: '/run/secrets/database_url' };
  const read = files({ '/run/secrets/database_url': text });
  expect(readConfig(env, read).databaseUrl).toBe(URL_IN_FILE);
  expect(readCliConfig(env, read).databaseUrl).toBe(URL_IN_FILE);
});

test.each([
  ['TEMPORAL_API_KEY', (env: NodeJS.ProcessEnv) => reading(env).temporal.apiKey],
  ['RECOURSE_ENCRYPTION_KEYS', (env: NodeJS.ProcessEnv) => reading(env).encryptionKeys],
  ['PAYMENTS_KEY', (env: NodeJS.ProcessEnv) => placesIn(env).payments.key],
  ['FLIGHTS_KEY', (env: NodeJS.ProcessEnv) => placesIn(env).flights.key],
  ['HOTELS_KEY', (env: NodeJS.ProcessEnv) => placesIn(env).hotels.key],
  ['MESSAGES_KEY', (env: NodeJS.ProcessEnv) => placesIn(env).messages.key],
  ['RECOURSE_KEY', (env: NodeJS.ProcessEnv) => readCliConfig(env, onlyFile).key],
])('%s may be in a file', (name, value) => {
  expect(value({ ...ENV, [name]: '', [`${name}_FILE`]: '/one' })).toBe('what-is-in-it');
});

const onlyFile = files({ '/one': 'what-is-in-it\n' });
const reading = (env: NodeJS.ProcessEnv) => readConfig(env, onlyFile);
const placesIn = (env: NodeJS.ProcessEnv) => readBookingProviders(env, onlyFile).places;

test('a file that is named by nothing is no file', () => {
  expect(readConfig({ ...ENV, DATABASE_URL_FILE: '' }, files({})).databaseUrl).toBe(
    ENV.DATABASE_URL,
  );
});

test.each([
  ['both', { ...ENV, DATABASE_URL_FILE: '/db' }, /^DATABASE_URL and DATABASE_URL_FILE: set one/],
  [
    'a file that is not there',
    { ...without('DATABASE_URL'), DATABASE_URL_FILE: '/gone' },
    /^DATABASE_URL_FILE: \/gone cannot be read \(ENOENT\)$/,
  ],
  [
    'an empty file',
    { ...without('DATABASE_URL'), DATABASE_URL_FILE: '/empty' },
    /^DATABASE_URL_FILE: \/empty is empty$/,
  ],
  [
    'a file with something else in it',
    { ...without('DATABASE_URL'), DATABASE_URL_FILE: '/other' },
    /^DATABASE_URL_FILE: Invalid URL$/,
  ],
  ['neither', without('DATABASE_URL'), /^DATABASE_URL: is not set$/],
])('%s is one line that names the variable and not the secret', (_what, env, line) => {
  const read = files({ '/db': URL_IN_FILE, '/empty': '\n', '/other': 'mysql://secret@db' });
  expect(() => readConfig(env, read)).toThrow(ConfigError);
  expect(() => readConfig(env, read)).toThrow(line);
  expect(() => readConfig(env, read)).not.toThrow(/secret|a1b2/);
});

test.each([
  ['PORT', 'http', /^PORT: a port from 0 to 65535 expected$/],
  ['PORT', '65536', /^PORT: a port from 0 to 65535 expected$/],
  ['METRICS_PORT', 'abc', /^METRICS_PORT: a port from 0 to 65535 expected$/],
  ['METRICS_PORT', '-1', /^METRICS_PORT: a port from 0 to 65535 expected$/],
  ['METRICS_PORT', '9.5', /^METRICS_PORT: a port from 0 to 65535 expected$/],
  ['RECOURSE_LOOK_AFTER_MS', '0', /^RECOURSE_LOOK_AFTER_MS: milliseconds from 1 to 86400000 exp/],
  ['RECOURSE_SETTLES_MS', '1e3', /^RECOURSE_SETTLES_MS: milliseconds from 1 to 86400000 expected$/],
])('%s must not be %s', (name, value, line) => {
  expect(() => readConfig({ ...ENV, [name]: value })).toThrow(line);
});

test('a provider that is not named is the sandbox, and it is said which are not', () => {
  const { places, unnamed } = readBookingProviders({
    PAYMENTS_URL: 'https://payments.example.com/',
    MESSAGES_URL: '',
  });
  expect(unnamed).toEqual(['flights', 'hotels', 'messages']);
  expect(places.payments.url).toBe('https://payments.example.com');
  expect(places.hotels.url).toBe('http://127.0.0.1:4010/hotels');
});

test('a provider whose address is none is one line that names the variable', () => {
  expect(() => readBookingProviders({ HOTELS_URL: 'hotels' })).toThrow(/^HOTELS_URL: Invalid URL$/);
});

test.each([
  ['', []],
  ['*', '*'],
  ['https://shop.example.com', ['https://shop.example.com']],
  ['https://a.example, http://b.example:8080', ['https://a.example', 'http://b.example:8080']],
])('RECOURSE_CORS_ORIGINS=%s lets the pages of %j ask', (text, origins) => {
  expect(readConfig({ ...ENV, RECOURSE_CORS_ORIGINS: text }).corsOrigins).toEqual(origins);
});

test.each(['null', '*, https://a.example', 'https://a.example/', 'https://A.example', 'a.example'])(
  'RECOURSE_CORS_ORIGINS=%s is no list of origins',
  (text) => {
    expect(() => readConfig({ ...ENV, RECOURSE_CORS_ORIGINS: text })).toThrow(
      /^RECOURSE_CORS_ORIGINS: \* or origins/,
    );
  },
);

test('an API that is told nothing else takes on what the engine thinks right', () => {
  expect(readConfig(ENV).admission).toEqual(DEFAULT_LIMITS);
  expect(readConfig({ ...ENV, RECOURSE_IN_FLIGHT: '7' }).admission.inFlight).toBe(7);
  const wrong = { ...ENV, RECOURSE_AT_ONCE_PER_ACCOUNT: '0' };
  expect(() => readConfig(wrong)).toThrow(/RECOURSE_AT_ONCE_PER_ACCOUNT: a whole number from 1/);
});
