/** Where a database is, without user and password: `127.0.0.1:5432/recourse`. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** That a database cannot be used, and why; never with its password. */
export function cannotBeUsed(url: string, why: string): string {
  return `the database ${placeOf(url)} cannot be used: ${why}; look at DATABASE_URL`;
}
