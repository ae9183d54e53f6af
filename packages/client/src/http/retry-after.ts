const maxMs = 3_600_000;

/** readRetryAfter parses seconds or a date, and limits the result to one hour. */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), maxMs);
}
