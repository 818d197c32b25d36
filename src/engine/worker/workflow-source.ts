import type { SagaDefinition } from '../saga/definition.js';

/**
 * The source of a module with one workflow for each saga, by the saga's name, in all its versions.
 * A workflow needs of a definition only what is data: `input` is computed in activities, and left
 * out here. Pure: the same definitions give the same text. `driver` is the address of the module
 * that has `runSaga`.
 */
export function workflowSource(sagas: readonly SagaDefinition[], driver: string): string {
  const names = [...new Set(sagas.map(({ name }) => name))].toSorted();
  const workflows = names.map((name, index) => {
    const versions = sagas
      .filter((saga) => saga.name === name)
      .toSorted((one, other) => one.version - other.version);
    return [
      `const versions${index} = ${JSON.stringify(versions)};`,
      `const workflow${index} = (start) => runSaga(versions${index}, start);`,
      `export { workflow${index} as ${JSON.stringify(name)} };`,
    ].join('\n');
  });
  return [`import { runSaga } from ${JSON.stringify(driver)};`, ...workflows, ''].join('\n');
}
