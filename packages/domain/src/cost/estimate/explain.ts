import { amount, type CapacityFigure } from "../offers/capacity-figure.ts";
import type { Price } from "../prices/catalogue.ts";
import { type Charge, chargeMonth } from "../traffic/charge.ts";
import type { Shape } from "../traffic/day.ts";
import { unitsOf } from "./fit.ts";
import type { Grade } from "./grade.ts";

/** Longer lists aren't read. */
export const mostReasons = 5;
const mostNamed = 3;

const evidence: Record<Grade, string> = {
  proven: "Its known capacity is enough for the peak.",
  likely: "Its provider documents that it scales with traffic.",
  unknown: "It supports this traffic, but nothing shows that its capacity is enough.",
};

/** explainOption lists why an option doesn't fit, or the evidence that it does, and doubts. */
export function explainOption(option: {
  against: readonly string[];
  grade: Grade;
  unknown: readonly CapacityFigure["of"][];
  doubts: readonly string[];
  notes: readonly string[];
}): string[] {
  const { against, grade, unknown, doubts, notes } = option;
  const reasons = [
    ...(against.length === 0 ? [evidence[grade]] : against),
    ...unpublished(unknown),
    ...notes,
    ...doubts,
  ];
  return reasons.slice(0, mostReasons);
}

function unpublished(unknown: readonly CapacityFigure["of"][]): string[] {
  const limits = unknown.filter((of) => of !== "latency").map((of) => unitsOf[of]);
  return [
    ...(limits.length > 0 ? [`No published limit of ${listed(limits, "or", limits.length)}.`] : []),
    ...(unknown.includes("latency") ? ["No published latency."] : []),
  ];
}

/** priceDoubts names prices to check before relying on them: without a date, older than a year, or uncertain. */
export function priceDoubts(
  prices: readonly Price[],
  charges: readonly Charge[],
  shape: Shape,
  hoursPerMonth: number,
): string[] {
  const old = prices.filter(({ age }) => age === "old");
  const [oldest] = old.flatMap(({ asOf }) => asOf ?? []).sort();
  return [
    ...doubt(
      prices.filter(({ age }) => age === "undated"),
      "has no date",
      "have no date",
    ),
    ...doubt(old, `is more than a year old (${oldest})`, `are more than a year old, the oldest of ${oldest}`),
    ...doubt(
      prices.filter(({ age, confidence }) => age === "fresh" && confidence === "uncertain"),
      "is uncertain",
      "are uncertain",
    ),
    ...charges.flatMap((charge) => undatedOf(charge, shape, hoursPerMonth)),
  ];
}

function doubt(prices: readonly Price[], one: string, several: string): string[] {
  if (prices.length === 0) return [];
  const names = listed(prices.map(({ sku }) => sku));
  return [prices.length === 1 ? `The price of ${names} ${one}.` : `The prices of ${names} ${several}.`];
}

function undatedOf(charge: Charge, shape: Shape, hoursPerMonth: number): string[] {
  const { sku, undatedFrom, unit } = charge.price;
  if (undatedFrom === null || chargeMonth(charge, shape, hoursPerMonth).quantity <= undatedFrom) return [];
  return [`The price of ${sku} beyond ${amount(undatedFrom)} ${unit} has no date.`];
}

/** listed joins the first few names, with the number of others. */
export function listed(names: readonly string[], word: "and" | "or" = "and", most = mostNamed): string {
  if (names.length > most) return `${names.slice(0, most).join(", ")} ${word} ${names.length - most} more`;
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} ${word} ${names.at(-1)}`;
}
