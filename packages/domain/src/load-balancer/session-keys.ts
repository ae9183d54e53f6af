/** Of a cluster's key. */
export const sessionKeyBytes = 32;

/** How long a key is the current one. */
export const sessionKeyLastsMs = 24 * 3_600_000;

/** isSessionKeyDue reports whether a cluster needs its next key. newest is null if it has none. */
export function isSessionKeyDue(newest: { createdAt: Date } | null, now: Date): boolean {
  return newest === null || now.getTime() - newest.createdAt.getTime() >= sessionKeyLastsMs;
}
