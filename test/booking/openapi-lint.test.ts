import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describedApi } from '../support/described-api.js';

/** What the linter prints about one place. */
interface Finding {
  readonly ruleId: string;
  readonly message: string;
  readonly location: readonly { readonly pointer: string }[];
}

/** It takes four seconds by itself; two cores may be busy. */
const LIMIT_MS = 60_000;
const run = promisify(execFile);
let folder: string;
let description: object;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'recourse-openapi-'));
  description = await describedApi('https://api.example.com');
}, LIMIT_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function lint(document: object): Promise<readonly string[]> {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  const args = ['lint', '--config', '.ci/redocly.yaml', '--format', 'json', file];
  // It asks nobody for a newer version, and tells nobody that it ran.
  const env = { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_TELEMETRY: 'off' };
  const { stdout } = await run('node_modules/.bin/redocly', args, { env, timeout: LIMIT_MS }).catch(
    (error: { code?: unknown; stdout: string; stderr: string }) => {
      if (error.code !== 1) throw new Error(`redocly: ${error.stderr}`);
      return error;
    },
  );
  const { problems } = JSON.parse(stdout) as { problems: readonly Finding[] };
  return problems.map(
    ({ ruleId, message, location }) => `${location[0]?.pointer}: ${message} (${ruleId})`,
  );
}

test('the linter finds nothing to say about the description', { timeout: LIMIT_MS }, async () => {
  expect(await lint(description)).toEqual([]);
});

test('the linter sees an example that is wrong', { timeout: LIMIT_MS }, async () => {
  const wrong = structuredClone(description) as {
    components: { examples: Record<string, { value: Record<string, unknown> }> };
  };
  const { forbidden } = wrong.components.examples;
  if (forbidden !== undefined) forbidden.value['status'] = '403';
  expect((await lint(wrong)).join('\n')).toContain('no-invalid-media-type-examples');
});

test('every component is used, but that of a path without the method', () => {
  const text = JSON.stringify(description);
  const { components } = description as { components: Record<string, Record<string, object>> };
  const unused = Object.entries(components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, named]) => Object.keys(named).map((name) => `#/components/${kind}/${name}`))
    .filter((ref) => !text.includes(`"$ref":"${ref}"`));
  expect(unused).toEqual(['#/components/responses/MethodNotAllowed']);
});
