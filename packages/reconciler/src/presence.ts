/** A gap this long between two checks means that we, or the database, were away. */
const absenceMs = 15_000;

/** After an absence of ours, agents get this long to reconnect before their silence counts. */
export const graceMs = 30_000;

/** Presence is how long agents could have reached us. A missing report from before that proves nothing. */
export type Presence = {
  /** lookedAt records that we and the database were up at that time. */
  lookedAt: (at: Date) => void;
  /** lastsMs is for how long we have been up without a gap, 0 while that is not known. */
  lastsMs: (now: Date) => number;
};

/** trackPresence assumes no presence before the first check. */
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
