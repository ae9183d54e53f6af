import { decimals } from "../numbers.ts";
import type { Hysteresis, RankedCandidate, Settled } from "./choice.ts";

export type SettledWinner = { settled: Settled; winner: RankedCandidate | null; reason: string };

/**
 * settleWinner decides whether the previous winner stays. It is replaced at once if it is no longer eligible, or if another
 * leads by the margin; and after the hold time if others lead by less.
 */
export function settleWinner(
  ranked: readonly RankedCandidate[],
  { marginPoints, holdSeconds }: Hysteresis,
  previous: Settled | undefined,
  now: Date,
): SettledWinner {
  const [best] = ranked;
  if (!best?.isEligible)
    return {
      settled: { winnerId: null, behindSince: null },
      winner: null,
      reason: ranked.length === 0 ? "There are no candidates." : "No candidate meets everything that is required.",
    };
  const before = previous?.winnerId ? ranked.find(({ id }) => id === previous.winnerId) : undefined;
  const take = (reason: string): SettledWinner => ({
    settled: { winnerId: best.id, behindSince: null },
    winner: best,
    reason,
  });
  if (!before)
    return take(previous?.winnerId ? "The previous winner is no longer a candidate." : "It has the most points.");
  if (!before.isEligible) return take(`${before.name} no longer meets everything that is required.`);
  const lead = best.points - before.points;
  if (lead <= 0)
    return { settled: { winnerId: before.id, behindSince: null }, winner: before, reason: "It has the most points." };
  const byHowMuch = `${decimals(lead, 1)} ${lead === 1 ? "point" : "points"}`;
  if (lead >= marginPoints)
    return take(`It leads ${before.name} by ${byHowMuch}; ${decimals(marginPoints, 1)} replace a winner at once.`);
  const claimed = previous?.behindSince?.getTime() ?? now.getTime();
  const behindSince = new Date(Math.min(claimed, now.getTime()));
  if (now.getTime() - behindSince.getTime() >= holdSeconds * 1_000)
    return take(`It, or another, led ${before.name} for ${holdSeconds} s, now by ${byHowMuch}.`);
  return {
    settled: { winnerId: before.id, behindSince },
    winner: before,
    reason: `${best.name} leads it by ${byHowMuch}: less than ${decimals(marginPoints, 1)}, and not yet for ${holdSeconds} s.`,
  };
}
