import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type MetricConfiguration,
} from 'prom-client';
import { isOfPart, METRICS, metricNamed, type LabelOf, type NameOf } from './metric-definitions.js';

/** The parts that can be watched. */
export type WatchedPart = 'api' | 'worker' | 'relay';

/** From a query that took a millisecond to a call that was given up after half a minute. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The metrics of one process, to be counted up, set and read. */
export class Instruments {
  readonly #registry = new Registry();

  /** All metrics of `part`, and those of Node; each exists once in a process. */
  constructor(part: WatchedPart) {
    for (const { name, type, part: of } of METRICS) {
      if (!isOfPart({ part: of }, part)) continue;
      const { help, labels: labelNames } = metricNamed(name);
      const options = { name, help, labelNames: [...labelNames], registers: [this.#registry] };
      make(type, options);
    }
    collectDefaultMetrics({ register: this.#registry });
  }

  counter<Name extends NameOf<'counter'>>(name: Name): Counter<LabelOf<Name>> {
    return this.#of(name, Counter<LabelOf<Name>>);
  }

  gauge<Name extends NameOf<'gauge'>>(name: Name): Gauge<LabelOf<Name>> {
    return this.#of(name, Gauge<LabelOf<Name>>);
  }

  histogram<Name extends NameOf<'histogram'>>(name: Name): Histogram<LabelOf<Name>> {
    return this.#of(name, Histogram<LabelOf<Name>>);
  }

  /** Leaves a gauge out of what is read, until it is set again. */
  forget(name: NameOf<'gauge'>): void {
    const gauge = this.gauge(name);
    gauge.reset();
    // Without labels a gauge that is reset says 0.
    if (metricNamed(name).labels.length === 0) gauge.remove({});
  }

  /** The names of ours that this process has. */
  names(): readonly string[] {
    const all = this.#registry.getMetricsAsArray().map(({ name }) => name);
    return all.filter((name) => name.startsWith('recourse_'));
  }

  /** What stands in all of them now, in the text format of Prometheus. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  #of<Metric extends object>(name: string, kind: abstract new (...of: never) => Metric): Metric {
    const metric = this.#registry.getSingleMetric(name);
    if (metric instanceof kind) return metric;
    throw new RangeError(`${name} is not a metric of this process`);
  }
}

function make(
  type: string,
  options: MetricConfiguration<string> & { registers: Registry[] },
): void {
  switch (type) {
    case 'counter':
      return void new Counter(options);
    case 'gauge':
      return void new Gauge(options);
    default:
      return void new Histogram({ ...options, buckets: SECONDS });
  }
}
