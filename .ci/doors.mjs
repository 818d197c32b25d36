// The doors of the library, read from the `exports` of package.json and pointed at the sources, so
// that the import law can be checked before anything is built. Dependency-cruiser takes aliases in
// the form of a webpack configuration; an alias also matches what begins with it, so the shortest
// comes last.
import { readFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const { name, exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

const doors = Object.entries(exports)
  .filter(([, file]) => file.endsWith('.js'))
  .map(([door, file]) => {
    const source = file.replace('./dist/', './').replace(/\.js$/, '.ts');
    return [door.replace('.', name), new URL(source, root).pathname];
  })
  .toSorted(([one], [other]) => other.length - one.length);

export default { resolve: { alias: Object.fromEntries(doors) } };
