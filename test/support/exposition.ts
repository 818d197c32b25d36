/** One series of a scrape. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** One metric of a scrape, with all its series. */
export interface Family {
  readonly name: string;
  readonly type: string;
  readonly samples: readonly Sample[];
}

/** What one `/metrics` said. */
export class Exposition {
  constructor(readonly families: readonly Family[]) {}

  /** All series of a metric; of a histogram those of `name_count`, `name_sum`, `name_bucket`. */
  series(name: string): readonly Sample[] {
    return this.families.flatMap(({ samples }) => samples).filter((one) => one.name === name);
  }

  /** The sum of the series that have these labels; undefined: there is none. */
  sum(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const chosen = this.series(name).filter((one) =>
      Object.entries(labels).every(([label, value]) => one.labels[label] === value),
    );
    return chosen.length === 0 ? undefined : chosen.reduce((sum, { value }) => sum + value, 0);
  }
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary|untyped)$`);
const HELP = new RegExp(`^# HELP (${NAME}) .+$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`);
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/;

/**
 * Reads the text format of Prometheus, version 0.0.4, without mercy. Throws for whatever the format
 * does not allow, or allows and would confuse: a metric told twice or in pieces, a series told
 * twice, a counter below 0, a histogram whose buckets do not add up.
 */
export function parseExposition(text: string): Exposition {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families: { name: string; type: string; samples: Sample[] }[] = [];
  const helped = new Set<string>();
  const seen = new Set<string>();
  for (const line of text.slice(0, -1).split('\n')) {
    const [, helpOf] = HELP.exec(line) ?? [];
    const [, name = '', type = ''] = TYPE.exec(line) ?? [];
    if (helpOf !== undefined) {
      once(helped, helpOf);
    } else if (name !== '') {
      if (families.some((one) => one.name === name)) throw new Error(`${name} comes twice`);
      families.push({ name, type, samples: [] });
    } else if (line.startsWith('#')) {
      if (/^# (TYPE|HELP)/.test(line)) throw new Error(`cannot be read: ${line}`);
    } else if (line !== '') {
      once(seen, line.slice(0, line.lastIndexOf(' ')));
      const family = families.at(-1);
      const sample = sampleOf(line);
      if (family === undefined || !belongs(sample.name, family)) {
        throw new Error(`${sample.name} stands outside of its metric`);
      }
      family.samples.push(sample);
    }
  }
  families.forEach(check);
  return new Exposition(families);
}

function once(seen: Set<string>, what: string): void {
  if (seen.has(what)) throw new Error(`${what} comes twice`);
  seen.add(what);
}

function sampleOf(line: string): Sample {
  const [, name, inner = '', number = ''] = SAMPLE.exec(line) ?? [];
  if (name === undefined) throw new Error(`cannot be read: ${line}`);
  const value = numberOf(number);
  // In any case of letters, as Prometheus reads it.
  if (Number.isNaN(value) && !/^nan$/i.test(number)) throw new Error(`no number: ${line}`);
  return { name, labels: labelsOf(inner, line), value };
}

function numberOf(text: string): number {
  if (text === '+Inf') return Infinity;
  if (text === '-Inf') return -Infinity;
  return /^[-+\d.eE]+$/.test(text) ? Number(text) : Number.NaN;
}

function labelsOf(inner: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {};
  let rest = inner;
  while (rest !== '') {
    const [all = '', name, value = ''] = LABEL.exec(rest) ?? [];
    if (name === undefined || name in labels) throw new Error(`wrong labels: ${line}`);
    labels[name] = value.replace(/\\(.)/g, (_, letter) => (letter === 'n' ? '\n' : letter));
    rest = rest.slice(all.length);
  }
  return labels;
}

function belongs(sample: string, { name, type }: Family): boolean {
  if (type !== 'histogram' && type !== 'summary') return sample === name;
  const suffix = sample.startsWith(name) ? sample.slice(name.length) : 'none';
  return ['_sum', '_count', type === 'histogram' ? '_bucket' : ''].includes(suffix);
}

function check(family: Family): void {
  if (family.type === 'counter') {
    const wrong = family.samples.find(({ value }) => !(value >= 0 && value < Infinity));
    if (wrong !== undefined) throw new Error(`${family.name} counts ${wrong.value}`);
  }
  if (family.type === 'histogram') checkHistogram(family);
}

/** Buckets grow with their bound, and the last one, without a bound, holds all. */
function checkHistogram({ name, samples }: Family): void {
  const of = (suffix: string): readonly Sample[] =>
    samples.filter((one) => one.name === `${name}${suffix}`);
  const rowOf = ({ labels }: Sample): string =>
    JSON.stringify(Object.entries(labels).filter(([label]) => label !== 'le'));
  if (of('_sum').length !== of('_count').length) throw new Error(`${name}: sums miss`);
  for (const count of of('_count')) {
    const buckets = of('_bucket').filter((one) => rowOf(one) === rowOf(count));
    const bounds = buckets.map(({ labels }) => numberOf(labels['le'] ?? ''));
    const grows = (numbers: readonly number[]): boolean =>
      numbers.every((one, index) => index === 0 || one >= (numbers[index - 1] ?? 0));
    const values = buckets.map(({ value }) => value);
    if (!grows(bounds) || !grows(values) || bounds.at(-1) !== Infinity) {
      throw new Error(`${name}: buckets out of order`);
    }
    if (values.at(-1) !== count.value) throw new Error(`${name}: buckets do not add up`);
  }
}

/** Scrapes a process, as Prometheus does. */
export async function scrape(url: unknown): Promise<Exposition & { readonly text: string }> {
  const response = await fetch(`${String(url)}/metrics`);
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}`);
  const text = await response.text();
  return Object.assign(parseExposition(text), { text });
}
