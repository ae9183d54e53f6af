/** Of a cluster's key. */
export const sessionKeyBytes = 32;

/** How long a key is the current one. */
export const sessionKeyLastsMs = 24 * 3_600_000;

/** For how long agents have a new key before any uses it. Until then, those that don't have it yet would reject its cookies. */
export const sessionKeyWaitsMs = 10 * 60_000;

/** isSessionKeyDue reports whether a cluster needs its next key. newest is null if it has none. */
export function isSessionKeyDue(newest: { createdAt: Date } | null, now: Date): boolean {
  return newest === null || now.getTime() - newest.createdAt.getTime() >= sessionKeyLastsMs;
}
