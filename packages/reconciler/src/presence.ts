/** A gap between two looks that says that we, or the database, were away. */
const absenceMs = 15_000;

/** After an absence of ours, agents get this long to come back before their silence counts as theirs. */
export const graceMs = 30_000;

/** Presence is how long agents could have reached us. What they did not say before that says nothing of them. */
export type Presence = {
  /** lookedAt notes that we were there then, and the database too. */
  lookedAt: (at: Date) => void;
  /** lastsMs is for how long that has been so without a gap, 0 while it is not known to be. */
  lastsMs: (now: Date) => number;
};

/** trackPresence knows of no presence before the first look. */
export function trackPresence(): Presence {
  let since = 0;
  let last: number | null = null;
  const wasAway = (at: number) => last === null || at - last > absenceMs;
  return {
    lookedAt(at) {
      if (wasAway(at.getTime())) since = at.getTime();
      last = at.getTime();
    },
    lastsMs(now) {
      return wasAway(now.getTime()) ? 0 : Math.max(0, now.getTime() - since);
    },
  };
}
