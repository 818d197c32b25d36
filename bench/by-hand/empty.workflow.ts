/** What a workflow costs that does nothing. */
export function doNothing(): Promise<null> {
  return Promise.resolve(null);
}
