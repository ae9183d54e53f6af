import { describeAge } from "@fairlead/domain";
import {
  type HeldPrice,
  type HeldTier,
  type PriceRefresh,
  type PriceUnit,
  priceFeeds,
  unitMicros,
} from "@fairlead/domain/cost";
import type { StatusLook } from "../../ui/status/status.ts";
import { count, countOf } from "../../words/numbers.ts";
import { unitPriceText } from "../calculator/money-text.ts";

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
  superseded: { word: "Replaced", shape: "arrow", tone: "silent" },
};

const each: Record<PriceUnit, string> = {
  hour: "per hour",
  month: "per month",
  "capacity-unit-hour": "per unit-hour",
  GB: "per GB",
  GiB: "per GiB",
  "Mbps-hour": "per Mbit/s-hour",
  "million-requests": "per million requests",
};

/** tierLines formats a price, one line per tier. The first tier with a cost shows the unit. */
export function tierLines(tiers: readonly HeldTier[], unit: PriceUnit, currency: string): string[] {
  const firstPaid = tiers.findIndex(({ micros }) => micros > 0);
  return tiers.map((tier, i) => {
    const price = tier.micros === 0 ? "free" : unitPriceText(unitMicros(tier), currency);
    const text = i === firstPaid ? `${price} ${each[unit]}` : price;
    if (tiers.length === 1) return text;
    return i === 0 ? `${text} at first` : `${text} from ${count(tier.fromUnits)} on`;
  });
}

/** describeHeld summarises whether a decision is needed. */
export function describeHeld(waiting: number, newest: PriceRefresh | undefined, now: number): string {
  if (waiting > 0) return `${countOf(waiting, "price")} ${waiting === 1 ? "needs" : "need"} a decision.`;
  const at = newest?.endedAt ?? newest?.requestedAt;
  if (!newest || !at || now === 0) return "No held prices.";
  return `No held prices. Last refresh: ${priceFeeds[newest.feed].title}, ${describeAge(now - at.getTime())} ago.`;
}

/** describeRead summarises the result of a refresh. */
export function describeRead(refresh: PriceRefresh): string {
  const { state, reason, readCount, appliedCount, unchangedCount, skippedCount, rejectedCount, acceptedCount } =
    refresh;
  if (state === "failed") return reason;
  if (state === "waiting") return "A controller starts within seconds.";
  if (state === "running") return "The feed is being read.";
  const parts = [
    [unchangedCount, "unchanged"],
    [appliedCount, "applied"],
    [acceptedCount, "accepted"],
    [rejectedCount, "rejected"],
    [skippedCount, "decided before"],
  ] as const;
  const counts = parts.filter(([many]) => many > 0).map(([many, what]) => `${count(many)} ${what}`);
  return `${countOf(readCount, "price")} read${counts.length > 0 ? `: ${counts.join(", ")}` : ""}.`;
}

/** consequenceOf describes the effect of a decision about all prices of a refresh. */
export function consequenceOf(what: "accept" | "reject", waiting: readonly HeldPrice[]): string {
  if (what === "reject")
    return `${countOf(waiting.length, "price")} ${waiting.length === 1 ? "stays" : "stay"} unchanged. A rejected price is held again only if the feed changes.`;
  const gone = waiting.filter(({ after }) => after.length === 0).length;
  const changed = waiting.length - gone;
  return [
    changed > 0
      ? `${countOf(changed, "price")} ${changed === 1 ? "changes" : "change"} to the price in the feed, from its date on, for all organisations of this installation.`
      : null,
    gone > 0
      ? `${countOf(gone, "item")} no longer in the feed ${gone === 1 ? "keeps its" : "keep their"} last price, and no further decision is needed.`
      : null,
  ]
    .filter((sentence) => sentence !== null)
    .join(" ");
}
