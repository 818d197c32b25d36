import type { Database } from '../../src/engine/database/database.js';
import { changeStatements } from './heard-statements.js';

/** What a statement that is one account's says; its parameter keeps its type. */
const PREDICATE = /\b(?:\w+\.)?account = (\$\d+::text)/g;

/** Has every statement of a database forget whose rows it is about; answers what has done so. */
export function forgetPredicates(database: Database): ReadonlySet<string> {
  const forgotten = new Set<string>();
  changeStatements(database, (text) => {
    const without = text.replaceAll(PREDICATE, '$1 is not null');
    if (without !== text) forgotten.add(text);
    return without;
  });
  return forgotten;
}
