import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

const SOURCES = [
  'watchdog.process',
  'end-process.process',
  'poll-until.process',
  'process-identity.process',
];

const root = resolve(import.meta.dirname, '../..');

/**
 * The path of a watchdog program that node can run: tests run from TypeScript and must not need a
 * build for it. Made once per version of its sources, whole or not at all.
 */
export function watchdogScript(): string {
  const sources = SOURCES.map((name) => ({
    name: `${name}.js`,
    text: readFileSync(join(root, 'src/local', `${name}.ts`), 'utf8'),
  }));
  const version = createHash('sha256').update(JSON.stringify(sources)).digest('hex').slice(0, 16);
  const folder = join(root, 'node_modules/.cache/recourse-watchdog', version);
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    writeFileSync(join(unfinished, 'package.json'), '{"type":"module"}');
    for (const { name, text } of sources) {
      const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
      const { outputText } = ts.transpileModule(text, { compilerOptions: options });
      writeFileSync(join(unfinished, name), outputText);
    }
    try {
      renameSync(unfinished, folder);
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true });
      if (!existsSync(folder)) throw error;
    }
  }
  return join(folder, `${SOURCES[0]}.js`);
}
