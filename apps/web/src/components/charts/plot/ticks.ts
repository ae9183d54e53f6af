import { lazily } from "../../words/lazily.ts";
import type { Unit } from "../data/quantity.ts";

/** valueTicks returns round ticks from 0 (or a round value below the minimum) to a round value above the maximum. */
export function valueTicks(low: number, high: number, unit: Unit, wanted = 4): number[] {
  const bottom = Math.min(0, low);
  const top = high > bottom ? high : bottom + smallestTop(unit);
  const step = roundStep((top - bottom) / wanted, unit);
  const first = Math.floor(bottom / step + 1e-9);
  const last = Math.ceil(top / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => round((first + i) * step));
}

function smallestTop(unit: Unit): number {
  if (unit === "ratio") return 0.04;
  return unit === "bytes" || unit === "bps" ? 1_024 : 1;
}

/** Bytes are counted in powers of 1024, so their round steps are 1, 2, 4, 8 … of those. */
function roundStep(raw: number, unit: Unit): number {
  if (unit === "bytes") return 2 ** Math.ceil(Math.log2(raw));
  const power = 10 ** Math.floor(Math.log10(raw));
  const lead = [1, 2, 2.5, 5, 10].find((each) => raw <= each * power * (1 + 1e-9)) ?? 10;
  return lead * power;
}

function round(value: number): number {
  return Number(value.toPrecision(12));
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const steps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800, 432_000,
  864_000, 2_592_000,
].map((seconds) => seconds * second);

/** timeTicks returns at most `most` instants that are round in the user's time zone. */
export function timeTicks(from: number, to: number, most: number): number[] {
  const step = steps.find((each) => (to - from) / each <= most) ?? 30 * day;
  const shift = new Date(from).getTimezoneOffset() * minute;
  const first = Math.ceil((from - shift) / step) * step + shift;
  const count = Math.max(0, Math.floor((to - first) / step) + 1);
  return Array.from({ length: count }, (_, i) => first + i * step);
}

const clock = lazily(() => new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }));
const clockSeconds = lazily(
  () => new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" }),
);
const dayMonth = lazily(() => new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" }));

/** formatTick formats a time as precisely as the tick distance requires, and midnight as the date. */
export function formatTick(at: number, stepMs: number): string {
  const date = new Date(at);
  if (stepMs < minute) return clockSeconds().format(date);
  const midnight = date.getHours() === 0 && date.getMinutes() === 0;
  return stepMs >= day || midnight ? dayMonth().format(date) : clock().format(date);
}

/** formatInstant formats the instant under the cursor in full. */
export function formatInstant(at: number, spanMs: number): string {
  const date = new Date(at);
  const time = spanMs > 2 * day ? clock().format(date) : clockSeconds().format(date);
  return spanMs > 12 * hour ? `${dayMonth().format(date)}, ${time}` : time;
}
