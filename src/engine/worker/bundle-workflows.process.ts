import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { writeFile } from 'node:fs/promises';

/**
 * Bundles compiled workflow code for the sandbox and writes it to a file. Made once, when the
 * project is built: a Node import in a workflow fails here and not when a worker starts.
 */
export async function bundleWorkflows(workflowsPath: string, bundlePath: string): Promise<void> {
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    logger: new DefaultLogger('WARN'),
  });
  await writeFile(bundlePath, code);
}
