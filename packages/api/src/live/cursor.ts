import { feedRetentionMs } from "@fairlead/services";

/**
 * A cursor means: every change of a transaction before this one was delivered. It carries its age, so that one older
 * than the feed's retention is detected.
 */
export function formatCursor(settledBefore: bigint, now: Date): string {
  return `${settledBefore}.${now.getTime().toString(36)}`;
}

/** parseCursor returns where to resume, or null when the cursor is not ours or too old. */
export function parseCursor(text: string, now: Date): bigint | null {
  const match = /^(\d{1,19})\.([0-9a-z]{1,11})$/.exec(text);
  if (!match?.[1] || !match[2]) return null;
  const issuedAt = Number.parseInt(match[2], 36);
  if (now.getTime() - issuedAt > feedRetentionMs) return null;
  const settledBefore = BigInt(match[1]);
  return settledBefore < 2n ** 63n ? settledBefore : null;
}
