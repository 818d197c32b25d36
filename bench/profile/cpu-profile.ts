/** A profile as V8 makes it, as far as it is read here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      /** From 0. */
      readonly lineNumber: number;
    };
  }[];
  readonly samples: readonly number[];
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[];
}

/** Where time went, in milliseconds without what was called from there. */
export interface SelfTime {
  readonly where: string;
  readonly ms: number;
}

export interface SelfTimes {
  readonly packages: readonly SelfTime[];
  readonly functions: readonly SelfTime[];
}

/** Waiting is no work. To a profiler within the process it looks like its own `dispatch`. */
const NOT_WORK: ReadonlySet<string> = new Set(['(idle)', '(root)', 'dispatch']);

/** Sums the self time of several profiles by package and by function, the most first. */
export function selfTimesOf(profiles: readonly CpuProfile[]): SelfTimes {
  const packages = new Map<string, number>();
  const functions = new Map<string, number>();
  for (const { nodes, samples, timeDeltas } of profiles) {
    const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
    for (const [index, sample] of samples.entries()) {
      const frame = frames.get(sample);
      if (frame === undefined || isWaiting(frame)) continue;
      const ms = (timeDeltas[index] ?? 0) / 1_000;
      const at = packageOf(frame.url, frame.functionName);
      const name = `${frame.functionName || '(anonymous)'}  ${at}  ${fileOf(frame.url)}`;
      add(packages, at, ms);
      add(functions, `${name}:${frame.lineNumber + 1}`, ms);
    }
  }
  return { packages: sorted(packages), functions: sorted(functions) };
}

function isWaiting({ functionName, url }: CpuProfile['nodes'][number]['callFrame']): boolean {
  return url === '' && NOT_WORK.has(functionName);
}

function packageOf(url: string, functionName: string): string {
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url);
  if (inPackage !== null) return inPackage[1] ?? '';
  if (url.startsWith('node:')) return 'node';
  const ours = /\/dist\/((?:src|workflows|activities|bench)\/.*)\/[^/]+$/.exec(url);
  if (ours !== null) return ours[1] ?? '';
  return url === '' ? functionName : fileOf(url);
}

function fileOf(url: string): string {
  return url.split('/').at(-1) ?? '';
}

function add(sums: Map<string, number>, key: string, ms: number): void {
  sums.set(key, (sums.get(key) ?? 0) + ms);
}

function sorted(sums: ReadonlyMap<string, number>): readonly SelfTime[] {
  return [...sums]
    .map(([where, ms]) => ({ where, ms }))
    .toSorted((one, other) => other.ms - one.ms);
}
