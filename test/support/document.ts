import { readFileSync } from 'node:fs';

/** One table of a document, cell by cell, as it is written there. */
export interface DocumentTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * The tables below a heading of a Markdown file of ours, in their order. Throws when there is no
 * such heading, so that a renamed section fails its tests.
 */
export function tablesUnder(path: string, heading: string): readonly DocumentTable[] {
  const tables: DocumentTable[] = [];
  let open: string[][] = [];
  for (const line of [...sectionOf(path, heading), '']) {
    if (line.startsWith('|')) {
      open.push(cellsOf(line));
      continue;
    }
    const [head, , ...rows] = open;
    if (head !== undefined) tables.push({ head, rows });
    open = [];
  }
  return tables;
}

/** The only table below a heading. */
export function tableUnder(path: string, heading: string): DocumentTable {
  const [table, ...others] = tablesUnder(path, heading);
  if (table === undefined || others.length > 0) {
    throw new Error(`${path} must have one table under "${heading}"`);
  }
  return table;
}

/** The numbered list below a heading, without its numbers. Throws when a number is wrong. */
export function listUnder(path: string, heading: string): readonly string[] {
  const items = sectionOf(path, heading).filter((line) => /^\d+\. /.test(line));
  return items.map((item, index) => {
    const number = `${index + 1}. `;
    if (!item.startsWith(number)) throw new Error(`${path}: expected ${number}before "${item}"`);
    return item.slice(number.length);
  });
}

/** A cell without the marks of code in it. */
export function plain(cell: string): string {
  return cell.replaceAll('`', '');
}

function sectionOf(path: string, heading: string): readonly string[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  const start = lines.indexOf(`## ${heading}`);
  if (start < 0) throw new Error(`${path} has no heading "${heading}"`);
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '));
  return length < 0 ? lines.slice(start + 1) : lines.slice(start + 1, start + 1 + length);
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, line.lastIndexOf('|'))
    .split('|')
    .map((cell) => cell.trim());
}
