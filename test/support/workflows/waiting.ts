import { condition, defineQuery, defineSignal, setHandler } from '@temporalio/workflow';

/** Waits until it is cancelled or ended from outside, and says how often it was told to look. */
export async function waiting(): Promise<void> {
  let looks = 0;
  setHandler(defineSignal('look'), () => void (looks += 1));
  setHandler(defineQuery('state'), () => ({ looks }));
  await condition(() => false);
}
