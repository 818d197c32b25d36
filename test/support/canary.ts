import type { Client } from '@temporalio/client';
import type { Pool } from 'pg';

/** What every piece of personal data in a test begins with; it stands nowhere else by chance. */
const CANARY = 'Zq7xCanary';

/** Personal data for a field: what is found of it says where it came from. */
export function canary(field: string): string {
  return `${CANARY}${field}`;
}

/** The canary as it looks in Base64, wherever in a group of three bytes it begins. */
const IN_BASE64 = [0, 1, 2].map((before) => {
  const bytes = Buffer.from(' '.repeat(before) + CANARY);
  // The first and the last characters depend on the neighbours.
  return bytes
    .toString('base64')
    .replace(/=+$/, '')
    .slice(before === 0 ? 0 : 4, -1);
});

/** What a text holds of canaries, plainly or in Base64. */
export function canariesIn(text: string): readonly string[] {
  const plain = text.match(new RegExp(`.{0,40}${CANARY}\\w*`, 'gi')) ?? [];
  return [...plain, ...IN_BASE64.filter((letters) => text.includes(letters))];
}

/** Everything that can be read in a value, bytes as the text they hold, in one text. */
export function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, member]) => `${name}: ${textOf(member)}`)
    .join('\n');
}

/**
 * Whatever a Temporal server keeps and shows of a run: its history, its description with search
 * attributes, memo and summary, its own words about itself, and the answers to our queries.
 */
export async function temporalTextOf(client: Client, run: string): Promise<string> {
  const handle = client.workflow.getHandle(run);
  const queries = ['__temporal_workflow_metadata', '__stack_trace', 'state', 'timeline'];
  const seen = await Promise.all([
    handle.fetchHistory(),
    handle.describe(),
    ...queries.map((query) => handle.query(query)),
  ]);
  return textOf(seen);
}

/** The columns of a database with a canary in them, as `table.column`. */
export async function columnsWithCanaries(db: Pool): Promise<readonly string[]> {
  const { rows: columns } = await db.query<{ table: string; column: string; bytes: boolean }>(
    `select table_name as table, column_name as column, data_type = 'bytea' as bytes
     from information_schema.columns where table_schema = 'public' order by 1, 2`,
  );
  const found: string[] = [];
  for (const { table, column, bytes } of columns) {
    const text = bytes ? `encode("${column}", 'escape')` : `"${column}"::text`;
    const { rowCount } = await db.query(
      `select 1 from "${table}" where ${text} ilike $1::text limit 1`,
      [`%${CANARY}%`],
    );
    if (rowCount === 1) found.push(`${table}.${column}`);
  }
  return found;
}
