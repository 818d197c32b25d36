// Puts one seeded bug into the sources, or says why it cannot be put there any more.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The text of a file with the bug in it. Throws an Error with what is wrong with the bug. */
export function textWith(root, { file, find, write }) {
  const path = join(root, file);
  if (!existsSync(path)) throw new Error(`there is no ${file}`);
  const pieces = readFileSync(path, 'utf8').split(find);
  if (pieces.length !== 2) {
    throw new Error(`its text is ${pieces.length - 1} times in ${file}, not once: ${find}`);
  }
  return pieces.join(write);
}

/** Writes the bug into the sources below `root`, which must be a copy. */
export function applyBug(root, bug) {
  writeFileSync(join(root, bug.file), textWith(root, bug));
}

/** What is wrong with these bugs, a line each; the sources are only read. */
export function faultsOf(root, bugs) {
  return bugs.flatMap((bug) => {
    const says = (fault) => `${bug.name}: ${fault}`;
    const twice = bugs.filter(({ name }) => name === bug.name).length > 1;
    const missing = bug.tests.filter((file) => !existsSync(join(root, file)));
    return [
      ...(twice ? [says('another bug has this name')] : []),
      ...(bug.write === bug.find ? [says('it changes nothing')] : []),
      ...(bug.tests.length === 0 && bug.explorer !== true ? [says('nobody is to catch it')] : []),
      ...(bug.explorer === false && !bug.unseen ? [says('why does the explorer not see it?')] : []),
      ...missing.map((file) => says(`there is no ${file}`)),
      ...placeFault(root, bug).map(says),
    ];
  });
}

function placeFault(root, bug) {
  try {
    textWith(root, bug);
    return [];
  } catch (error) {
    return [error.message];
  }
}
