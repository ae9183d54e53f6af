import type { CostComparison, CostOption } from "@fairlead/domain/cost";
import { monthText } from "./calculator/money-text.ts";
import { type RankedRow, rankRows } from "./calculator/ranking-rows.ts";

const maxOptions = 5;
const leastDifferenceMicros = 5_000;
const wholeShare = 0.995;

/** comparedRows lists no balancer and the first options, in the order of the calculator: the recommended ones first. */
export function comparedRows(comparison: Pick<CostComparison, "options" | "advice">): RankedRow[] {
  // The API already left out the other regions of each offer.
  return rankRows(comparison, { everyRegion: true, grades: [] }).slice(0, 1 + maxOptions);
}

type Bill = Pick<CostOption, "monthlyMicros" | "missing" | "currency">;

/**
 * differenceText compares a monthly cost to the current one. A minimum can't be compared. If the current cost is only
 * partly known, savings are a minimum, and extra costs are unknown.
 */
export function differenceText(bill: Bill, today: CostComparison["today"]): string {
  if (!today || bill.missing.length > 0) return "unknown";
  const difference = bill.monthlyMicros - today.monthlyMicros;
  const text = monthText(Math.abs(difference), bill.currency);
  const isWhole = isWhollyKnown(today);
  if (difference <= -leastDifferenceMicros) return isWhole ? `${text} less` : `at least ${text} less`;
  if (!isWhole) return "unknown";
  return difference < leastDifferenceMicros ? "the same" : `${text} more`;
}

export function isWhollyKnown({ knownShare }: NonNullable<CostComparison["today"]>): boolean {
  return knownShare >= wholeShare;
}
