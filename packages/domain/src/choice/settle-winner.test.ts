import { expect, it } from "vitest";
import type { RankedCandidate, Settled } from "./choice.ts";
import { settleWinner } from "./settle-winner.ts";

const now = new Date("2026-12-01T12:00:00Z");
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const hysteresis = { marginPoints: 5, holdSeconds: 30 };
const ranked = (...points: [id: string, points: number, isEligible?: boolean][]): RankedCandidate[] =>
  points.map(([id, points, isEligible = true], at) => ({
    ...{ id, name: id, clusterId: id, clusterName: id, rank: at + 1, isEligible, points, evidence: [], against: [] },
  }));
const settle = (all: RankedCandidate[], previous?: Settled) => {
  const { settled, reason } = settleWinner(all, hysteresis, previous, now);
  return [settled.winnerId, settled.behindSince, reason];
};
const won = (winnerId: string | null, behindSince: Date | null = null): Settled => ({ winnerId, behindSince });

it.each([
  [
    "takes the best without a previous winner",
    ranked(["b", 60], ["a", 50]),
    undefined,
    "b",
    null,
    "It has the most points.",
  ],
  ["keeps a winner that is the best", ranked(["a", 60], ["b", 50]), won("a"), "a", null, "It has the most points."],
  [
    "keeps a winner with equal points",
    ranked(["b", 60], ["a", 60]),
    won("a", secondsAgo(60)),
    "a",
    null,
    "It has the most points.",
  ],
  [
    "keeps a winner that just fell behind by less than the margin",
    ...[ranked(["b", 64], ["a", 60]), won("a"), "a", now, "b leads it by 4 points: less than 5, and not yet for 30 s."],
  ],
  [
    "remembers since when it is behind",
    ...[
      ranked(["b", 61], ["a", 60]),
      won("a", secondsAgo(29)),
      "a",
      secondsAgo(29),
      "b leads it by 1 point: less than 5, and not yet for 30 s.",
    ],
  ],
  [
    "replaces it after the hold time",
    ...[
      ranked(["b", 61], ["a", 60]),
      won("a", secondsAgo(30)),
      "b",
      null,
      "It, or another, led a for 30 s, now by 1 point.",
    ],
  ],
  [
    "replaces it at once by the margin",
    ranked(["b", 65], ["a", 60]),
    won("a"),
    "b",
    null,
    "It leads a by 5 points; 5 replace a winner at once.",
  ],
  [
    "replaces it at once if it is no longer eligible",
    ...[ranked(["b", 10], ["a", 60, false]), won("a"), "b", null, "a no longer meets everything that is required."],
  ],
  [
    "replaces it if it is gone",
    ranked(["b", 10]),
    won("a"),
    "b",
    null,
    "The previous winner is no longer a candidate.",
  ],
  [
    "has none if none is eligible",
    ranked(["a", 60, false]),
    won("a"),
    null,
    null,
    "No candidate meets everything that is required.",
  ],
  ["has none without candidates", [], won("a"), null, null, "There are no candidates."],
  [
    "doesn't trust a time in the future",
    ...[
      ranked(["b", 61], ["a", 60]),
      won("a", secondsAgo(-60)),
      "a",
      now,
      "b leads it by 1 point: less than 5, and not yet for 30 s.",
    ],
  ],
] as [string, RankedCandidate[], Settled | undefined, string | null, Date | null, string][])(
  "%s",
  (_, all, previous, winner, since, reason) => {
    expect(settle(all, previous)).toEqual([winner, since, reason]);
  },
);
