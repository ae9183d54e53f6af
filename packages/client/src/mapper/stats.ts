/** Counters of one mapper since it was created. */
export type MapperStats = {
  lookups: { hit: number; pending: number; unknown: number; bypassed: number };
  refreshes: { changed: number; unchanged: number; failed: number };
  /** Accepted maps that differ from the previous one. */
  changes: number;
  /** Number of times an older generation was accepted because the control plane was restored. */
  restores: number;
  generation: number | null;
  entries: number;
  /** Time since the control plane last confirmed the map; null without a map. */
  ageMs: number | null;
  source: "server" | "disk" | null;
};

export function emptyCounts(): Pick<MapperStats, "lookups" | "refreshes" | "changes" | "restores"> {
  return {
    lookups: { hit: 0, pending: 0, unknown: 0, bypassed: 0 },
    refreshes: { changed: 0, unchanged: 0, failed: 0 },
    changes: 0,
    restores: 0,
  };
}

export type Measured = { exposureId: string; stats: () => MapperStats };

type Line = [labels: Record<string, string>, value: number];
type Family = { name: string; help: string; type: "counter" | "gauge"; lines: (stats: MapperStats) => Line[] };

const families: Family[] = [
  {
    name: "lookups_total",
    help: "Addresses looked up: hit, pending (no external address yet), unknown, bypassed (needs no mapping).",
    type: "counter",
    lines: ({ lookups }) => Object.entries(lookups).map(([result, value]): Line => [{ result }, value]),
  },
  {
    name: "refreshes_total",
    help: "Responses of the control plane.",
    type: "counter",
    lines: ({ refreshes }) => Object.entries(refreshes).map(([result, value]): Line => [{ result }, value]),
  },
  {
    name: "map_changes_total",
    help: "Accepted maps that differed from the previous one.",
    type: "counter",
    lines: ({ changes }) => [[{}, changes]],
  },
  {
    name: "map_restores_total",
    help: "Older generations accepted because the control plane was restored.",
    type: "counter",
    lines: ({ restores }) => [[{}, restores]],
  },
  {
    name: "map_generation",
    help: "Generation of the map in use.",
    type: "gauge",
    lines: ({ generation }) => (generation === null ? [] : [[{}, generation]]),
  },
  {
    name: "map_entries",
    help: "Entries of the map in use.",
    type: "gauge",
    lines: ({ entries }) => [[{}, entries]],
  },
  {
    name: "map_age_seconds",
    help: "Time since the control plane last confirmed the map.",
    type: "gauge",
    lines: ({ ageMs }) => (ageMs === null ? [] : [[{}, ageMs / 1_000]]),
  },
];

/**
 * metricsPage returns the metrics of several mappers as one page in the Prometheus text format. Mappers of the same
 * exposure share their series: counters add up, and gauges are those of the first.
 */
export function metricsPage(mappers: readonly Measured[]): string {
  const read = mappers.map((each) => ({ exposure: each.exposureId, stats: each.stats() }));
  return families
    .map(({ name, help, type, lines }) => {
      const full = `fairlead_client_${name}`;
      const values = new Map<string, number>();
      for (const { exposure, stats } of read)
        for (const [labels, value] of lines(stats)) {
          const at = formatLabels({ exposure, ...labels });
          const before = values.get(at);
          if (before === undefined) values.set(at, value);
          else if (type === "counter") values.set(at, before + value);
        }
      const samples = [...values].map(([at, value]) => `${full}${at} ${value}`);
      return [`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`, ...samples, ""].join("\n");
    })
    .join("");
}

function formatLabels(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escapeLabel(value)}"`);
  return `{${pairs.join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
