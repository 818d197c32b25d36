/** What `work` answers, or null when it has not by then; `work` goes on. Rejects as `work` does. */
export async function within<Result>(
  limitMs: number,
  work: Promise<Result>,
): Promise<Result | null> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, limitMs, null);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
    // After the limit nobody listens any more.
    work.catch(() => undefined);
  }
}
