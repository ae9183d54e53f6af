import {
  describeAge,
  feedName,
  type HeldPrice,
  type HeldTier,
  type PriceRefresh,
  type PriceUnit,
  unitMicros,
} from "@fairlead/domain";
import { unitPriceText } from "../calculator/money-text.ts";
import type { StatusLook } from "../ui/status.ts";
import { count, countOf } from "../words/numbers.ts";

export const refreshLooks: Record<PriceRefresh["state"], StatusLook> = {
  waiting: { word: "Waiting", shape: "ring", tone: "accent" },
  running: { word: "Reading", shape: "half", tone: "accent" },
  held: { word: "Held", shape: "triangle", tone: "warn" },
  applied: { word: "Applied", shape: "disc", tone: "good" },
  failed: { word: "Failed", shape: "square", tone: "bad" },
};

export const heldLooks: Record<HeldPrice["state"], StatusLook> = {
  waiting: { word: "Waiting", shape: "ring", tone: "accent" },
  accepted: { word: "Accepted", shape: "disc", tone: "good" },
  rejected: { word: "Rejected", shape: "cross", tone: "silent" },
  superseded: { word: "Read anew", shape: "arrow", tone: "silent" },
};

const each: Record<PriceUnit, string> = {
  hour: "an hour",
  month: "a month",
  "capacity-unit-hour": "a unit and hour",
  GB: "a GB",
  GiB: "a GiB",
  "Mbps-hour": "a Mbit/s and hour",
  "million-requests": "a million requests",
};

/** tierLines writes a price as it is read, one line a tier: the unit with the first that costs anything. */
export function tierLines(tiers: readonly HeldTier[], unit: PriceUnit, currency: string): string[] {
  const firstPaid = tiers.findIndex(({ micros }) => micros > 0);
  return tiers.map((tier, i) => {
    const price = tier.micros === 0 ? "free" : unitPriceText(unitMicros(tier), currency);
    const text = i === firstPaid ? `${price} ${each[unit]}` : price;
    if (tiers.length === 1) return text;
    return i === 0 ? `${text} at first` : `${text} from ${count(tier.fromUnits)} on`;
  });
}

/** describeStand says in a sentence whether anything is to be done. */
export function describeStand(waiting: number, newest: PriceRefresh | undefined, now: number): string {
  if (waiting > 0) return `${countOf(waiting, "price")} ${waiting === 1 ? "waits" : "wait"} for somebody to decide.`;
  const at = newest?.endedAt ?? newest?.askedAt;
  if (!newest || !at || now === 0) return "Nothing waits for a decision.";
  return `Nothing waits for a decision. ${feedName(newest.feed)} was read last, ${describeAge(now - at.getTime())} ago.`;
}

/** describeRead says what came of a reading, in a few words. */
export function describeRead(refresh: PriceRefresh): string {
  const { state, reason, readCount, appliedCount, unchangedCount, skippedCount, rejectedCount, acceptedCount } =
    refresh;
  if (state === "failed") return reason;
  if (state === "waiting") return "A controller begins within seconds.";
  if (state === "running") return "The feed is being read.";
  const parts = [
    [unchangedCount, "as they were"],
    [appliedCount, "taken"],
    [acceptedCount, "accepted"],
    [rejectedCount, "rejected"],
    [skippedCount, "decided before"],
  ] as const;
  const told = parts.filter(([many]) => many > 0).map(([many, what]) => `${count(many)} ${what}`);
  return `${countOf(readCount, "price")} read${told.length > 0 ? `: ${told.join(", ")}` : ""}.`;
}

/** consequenceOf says what deciding about all of a refresh does. */
export function consequenceOf(what: "accept" | "reject", waiting: readonly HeldPrice[]): string {
  if (what === "reject")
    return `${countOf(waiting.length, "price")} ${waiting.length === 1 ? "stays" : "stay"} as before. Nobody is asked again until the feed says something else.`;
  const gone = waiting.filter(({ after }) => after.length === 0).length;
  const said = waiting.length - gone;
  return [
    said > 0
      ? `${countOf(said, "price")} ${said === 1 ? "counts" : "count"} as the feed says, from the day that it is of, for everybody who compares costs here.`
      : null,
    gone > 0
      ? `Of ${countOf(gone, "thing")} that the feed has no more, the last price stays; nobody is asked again.`
      : null,
  ]
    .filter((sentence) => sentence !== null)
    .join(" ");
}
