/** A server may slow requests down, but not stop them for good. Timers above 2³¹ ms would even fire at once. */
const maxRetryAfterMs = 5 * 60_000;

/** readRetryAfter parses a Retry-After header (seconds, or a date) and returns the milliseconds to wait, or null. */
export function readRetryAfter(value: unknown, now = new Date()): number | null {
  const text = Array.isArray(value) ? String(value[0]) : String(value ?? "");
  if (text.trim() === "") return null;
  const seconds = Number(text);
  const ms = Number.isNaN(seconds) ? Date.parse(text) - now.getTime() : seconds * 1_000;
  return ms > 0 ? Math.min(ms, maxRetryAfterMs) : null;
}
