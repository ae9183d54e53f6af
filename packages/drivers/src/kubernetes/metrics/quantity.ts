/** What the suffixes of quantities stand for. Numbers may also have an exponent, as in 12e6. */
const scales: Record<string, number> = {
  ...{ n: 1e-9, u: 1e-6, m: 1e-3, "": 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 },
};

/** parseQuantity returns the number of a Kubernetes quantity, such as 250m or 64Mi; null for anything else. */
export function parseQuantity(text: unknown): number | null {
  if (typeof text === "number") return Number.isFinite(text) ? text : null;
  if (typeof text !== "string") return null;
  const [, number = "", suffix = ""] = /^(\+?\d*\.?\d+(?:[eE][+-]?\d+)?|\+?\d+\.)([a-zA-Z]*)$/.exec(text) ?? [];
  const scale = Object.hasOwn(scales, suffix) ? scales[suffix] : undefined;
  return number === "" || scale === undefined ? null : Number(number) * scale;
}

const unitsMs: Record<string, number> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1e3, m: 6e4, h: 36e5 };

/** parseDurationMs returns the milliseconds of a duration as Kubernetes writes it, such as 10.062s or 1m0s; null for anything else. */
export function parseDurationMs(text: unknown): number | null {
  if (typeof text !== "string" || !/^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/.test(text)) return null;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)];
  return parts.reduce((sum, [, number, unit = ""]) => sum + Number(number) * (unitsMs[unit] ?? 0), 0);
}

/** sumOf returns the sum; null without any, or if one is unknown. */
export function sumOf(values: readonly (number | null)[]): number | null {
  if (values.length === 0) return null;
  return values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0);
}
