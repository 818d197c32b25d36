import type { Reporter, TestCase, TestModule } from 'vitest/node';

/**
 * Ends a run with one plain line, `N passed, N failed` (`, N skipped` when there are any), after a
 * list of what was skipped and why. A file that cannot be loaded and an error outside of any test
 * count as failed: nothing that went wrong is missing from the line.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state: string) => tests.filter((test) => test.result().state === state);
    const brokenFiles = modules.filter((module) => module.errors().length > 0);
    const skipped = inState('skipped');
    const failed = inState('failed').length + brokenFiles.length + unhandled.length;

    const lines = skipped.map((test) => `skipped: ${test.fullName} (${reasonOf(test)})`);
    const counts = [`${inState('passed').length} passed`, `${failed} failed`];
    if (skipped.length > 0) counts.push(`${skipped.length} skipped`);
    process.stdout.write(`${[...lines, counts.join(', ')].join('\n')}\n`);
  }
}

function reasonOf(test: TestCase): string {
  const result = test.result();
  return result.state === 'skipped' && result.note ? result.note : 'no reason given';
}
