/** A route as the router was given it: `/v1/bookings/:id`. */
export interface Route {
  readonly method: string;
  readonly path: string;
}

/** The methods that a path has, sorted; none when nothing is there under any method. */
export function allowedMethods(routes: readonly Route[], path: string): readonly string[] {
  const asked = path.split('/');
  const methods = routes
    .filter((route) => matches(route.path.split('/'), asked))
    .map((route) => route.method);
  return [...new Set(methods)].toSorted();
}

function matches(pattern: readonly string[], asked: readonly string[]): boolean {
  return (
    pattern.length === asked.length &&
    pattern.every((part, index) =>
      part.startsWith(':') ? asked[index] !== '' : part === asked[index],
    )
  );
}
