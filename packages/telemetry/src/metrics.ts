export type Labels = Record<string, string>;
export type Counter = {
  add(labels?: Labels, by?: number): void;
  /** remove ends the series of an object that no longer exists; otherwise, each deleted object leaves one forever. */
  remove(labels: Labels): void;
};
export type Histogram = { observe(seconds: number, labels?: Labels): void };
export type GaugeReading = { value: number; labels?: Labels };

export type Metrics = {
  counter(name: string, help: string): Counter;
  histogram(name: string, help: string, bounds?: readonly number[]): Histogram;
  /** A gauge is read when the page is requested. A gauge that fails to read is omitted. */
  gauge(name: string, help: string, read: () => Promise<GaugeReading[]> | GaugeReading[]): void;
  /** The metrics in the Prometheus text format. */
  page(): Promise<string>;
};

type Family = { name: string; help: string; type: "counter" | "gauge" | "histogram"; lines: () => Promise<string[]> };

const durations = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** createMetrics creates the metrics of one process. Names end in their unit; label values are from small fixed sets. */
export function createMetrics(): Metrics {
  const families = new Map<string, Family>();
  const add = (family: Family) => {
    if (families.has(family.name)) throw new Error(`the metric ${family.name} is registered twice`);
    families.set(family.name, family);
  };
  return {
    counter(name, help) {
      const values = new Map<string, number>();
      add({
        name,
        help,
        type: "counter",
        lines: async () => [...values].map(([at, value]) => `${name}${at} ${value}`),
      });
      return {
        add(labels = {}, by = 1) {
          const at = formatLabels(labels);
          values.set(at, (values.get(at) ?? 0) + by);
        },
        remove(labels) {
          values.delete(formatLabels(labels));
        },
      };
    },
    histogram(name, help, bounds = durations) {
      const series = new Map<string, { labels: Labels; counts: number[]; sum: number; count: number }>();
      const lines = () => [...series.values()].flatMap((each) => histogramLines(name, bounds, each));
      add({ name, help, type: "histogram", lines: async () => lines() });
      return {
        observe(seconds, labels = {}) {
          const at = formatLabels(labels);
          const one = series.get(at) ?? { labels, counts: bounds.map(() => 0), sum: 0, count: 0 };
          one.counts = one.counts.map((count, i) => (seconds <= (bounds[i] ?? 0) ? count + 1 : count));
          one.sum += seconds;
          one.count++;
          series.set(at, one);
        },
      };
    },
    gauge(name, help, read) {
      const lines = async () =>
        (await read()).map(({ value, labels }) => `${name}${formatLabels(labels ?? {})} ${value}`);
      add({ name, help, type: "gauge", lines });
    },
    async page() {
      const parts = await Promise.all([...families.values()].map(familyPage));
      return parts.join("");
    },
  };
}

async function familyPage({ name, help, type, lines }: Family): Promise<string> {
  try {
    return [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`, ...(await lines()), ""].join("\n");
  } catch {
    return "";
  }
}

function histogramLines(
  name: string,
  bounds: readonly number[],
  series: { labels: Labels; counts: number[]; sum: number; count: number },
): string[] {
  const { labels, counts, sum, count } = series;
  return [
    ...bounds.map((bound, i) => `${name}_bucket${formatLabels({ ...labels, le: String(bound) })} ${counts[i] ?? 0}`),
    `${name}_bucket${formatLabels({ ...labels, le: "+Inf" })} ${count}`,
    `${name}_sum${formatLabels(labels)} ${sum}`,
    `${name}_count${formatLabels(labels)} ${count}`,
  ];
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escapeLabel(value)}"`);
  return pairs.length > 0 ? `{${pairs.join(",")}}` : "";
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function escapeLabel(value: string): string {
  return escapeHelp(value).replaceAll('"', '\\"');
}
