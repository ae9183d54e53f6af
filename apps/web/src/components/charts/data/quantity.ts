import type { MetricUnit } from "@fairlead/domain/series";

/** The units of the metric catalogue, and a few that only pages need. */
export type Unit = MetricUnit | "s";

type Scale = { factor: number; suffix: string };

const binary: Scale[] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"].map((suffix, i) => ({ factor: 1024 ** i, suffix }));
const bits: Scale[] = decimal(["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"]);
const packets: Scale[] = decimal(["pkt/s", "kpkt/s", "Mpkt/s", "Gpkt/s"]);
const times: Scale[] = [
  { factor: 0.001, suffix: "µs" },
  { factor: 1, suffix: "ms" },
  { factor: 1_000, suffix: "s" },
];
const counts: Scale[] = decimal(["", "k", "M", "G"]);
const perSecond: Scale[] = decimal(["/s", "k/s", "M/s", "G/s"]);

function decimal(suffixes: string[]): Scale[] {
  return suffixes.map((suffix, i) => ({ factor: 1_000 ** i, suffix }));
}

const scales: Record<Unit, Scale[]> = {
  ratio: [{ factor: 0.01, suffix: "%" }],
  bytes: binary,
  bps: bits,
  pps: packets,
  perSecond,
  count: counts,
  ms: times,
  s: [{ factor: 1, suffix: "s" }],
};

/** formatQuantity formats a value with its unit, three significant digits and a non-breaking space. */
export function formatQuantity(value: number | null | undefined, unit: Unit): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  return withScale(value, scaleFor(value, unit), threeDigits);
}

/** axisFormatter formats all ticks of an axis in one scale, so that they are easy to compare. */
export function axisFormatter(ticks: number[], unit: Unit): (value: number) => string {
  const largest = Math.max(...ticks.map(Math.abs), 0);
  const scale = scaleFor(largest, unit);
  const steps = ticks.slice(1).map((tick, i) => Math.abs(tick - (ticks[i] ?? 0)) / scale.factor);
  const step = steps.find((each) => each > 0) ?? 1;
  const digits = [0, 1, 2, 3].find((each) => isWhole(step * 10 ** each)) ?? 3;
  return (value) => (value === 0 ? "0" : withScale(value, scale, (scaled) => scaled.toFixed(digits)));
}

function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) < 1e-6;
}

/** scaleFor returns the largest step in which a value is at least one, or the smallest step. */
export function scaleFor(value: number, unit: Unit): Scale {
  const steps = scales[unit];
  const fitting = steps.findLast((step) => Math.abs(value) >= step.factor * 0.9995);
  const smallest = unit === "ms" && value === 0 ? steps[1] : steps[0];
  return fitting ?? smallest ?? { factor: 1, suffix: "" };
}

function withScale(value: number, scale: Scale, digits: (scaled: number) => string): string {
  const text = digits(value / scale.factor);
  if (scale.suffix === "") return text;
  return scale.suffix.length === 1 && "kMG".includes(scale.suffix)
    ? `${text}${scale.suffix}`
    : `${text}\u00a0${scale.suffix}`;
}

function threeDigits(scaled: number): string {
  const size = Math.abs(scaled);
  if (size === 0) return "0";
  if (size >= 99.95) return scaled.toFixed(0);
  if (size >= 9.995) return scaled.toFixed(1);
  return size < 0.005 ? "< 0.01" : scaled.toFixed(2);
}
