/** TimeRange is the range of charts: a span that ends now and moves along, or two fixed instants. */
export type TimeRange = { kind: "relative"; preset: Preset } | { kind: "absolute"; from: Date; to: Date };

export const presets = ["5m", "15m", "1h", "3h", "1d", "7d", "30d"] as const;
export type Preset = (typeof presets)[number];

export const defaultRange: TimeRange = { kind: "relative", preset: "15m" };

const minute = 60_000;
export const presetMs: Record<Preset, number> = {
  "5m": 5 * minute,
  "15m": 15 * minute,
  "1h": 60 * minute,
  "3h": 180 * minute,
  "1d": 1_440 * minute,
  "7d": 7 * 1_440 * minute,
  "30d": 30 * 1_440 * minute,
};

export const presetTitles: Record<Preset, string> = {
  "5m": "Last 5 minutes",
  "15m": "Last 15 minutes",
  "1h": "Last hour",
  "3h": "Last 3 hours",
  "1d": "Last day",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
};

/** The value for the URL. Relative ranges stay relative, and the default is omitted. */
export type RangeParams = { range: string | null; from: string | null; to: string | null };

/** The minimum range for a zoom. A shorter drag counts as a click. */
export const narrowestMs = 2_000;

export function parseRange(params: RangeParams): TimeRange {
  const preset = presets.find((each) => each === params.range);
  if (preset) return { kind: "relative", preset };
  const from = parseInstant(params.from);
  const to = parseInstant(params.to);
  if (from && to && to.getTime() - from.getTime() >= narrowestMs) return { kind: "absolute", from, to };
  return defaultRange;
}

export function formatRange(range: TimeRange): RangeParams {
  if (range.kind === "absolute") return { range: null, from: formatInstant(range.from), to: formatInstant(range.to) };
  const isDefault = defaultRange.kind === "relative" && range.preset === defaultRange.preset;
  return { range: isDefault ? null : range.preset, from: null, to: null };
}

export function spanMs(range: TimeRange): number {
  return range.kind === "relative" ? presetMs[range.preset] : range.to.getTime() - range.from.getTime();
}

/** resolveRange returns the two instants of a range at a given time. */
export function resolveRange(range: TimeRange, now: number): { from: Date; to: Date } {
  if (range.kind === "absolute") return { from: range.from, to: range.to };
  return { from: new Date(now - presetMs[range.preset]), to: new Date(now) };
}

/** refreshEveryMs is the refresh interval of a live range. A chart of a day gets a new point only every 5 minutes. */
export function refreshEveryMs(range: TimeRange): number {
  return spanMs(range) <= presetMs["3h"] ? 5_000 : minute;
}

function parseInstant(text: string | null): Date | null {
  if (!text || !/^\d{4}-\d{2}-\d{2}T/.test(text)) return null;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** To the second, which is precise enough and keeps shared links short. */
function formatInstant(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
