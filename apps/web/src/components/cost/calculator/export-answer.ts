import { csvLine } from "@fairlead/domain";
import type { CostOption } from "@fairlead/domain/cost";
import type { Answer } from "./use-answer.ts";

const perUnit = 1_000_000;

type Column = [name: string, cell: (option: CostOption) => string | number];

const columns: Column[] = [
  ["offer", (option) => option.offerId],
  ["provider", (option) => option.provider],
  ["product", (option) => option.product],
  ["region", (option) => option.region],
  ["fits", (option) => (option.fits ? "yes" : "no")],
  ["grade", (option) => option.grade ?? ""],
  ["currency", (option) => option.currency],
  ["month", (option) => amount(option.monthlyMicros)],
  ["hour", (option) => amount(option.hourlyMicros)],
  ["hour_low", (option) => amount(option.band.lowMicros)],
  ["hour_high", (option) => amount(option.band.highMicros)],
  ["driven_by", (option) => option.dominantDimension ?? ""],
  ["missing", (option) => option.missing.map(({ item }) => item).join("; ")],
  ["conditions", (option) => option.conditions.join(" ")],
  ["reasons", (option) => option.reasons.join(" ")],
  ["oldest_price", (option) => option.prices.map(({ asOf }) => asOf ?? "").sort()[0] ?? ""],
  ["sources", (option) => [...new Set(option.prices.map(({ source }) => source))].join(" ")],
];

/** csvOf writes one line per option, with exact amounts. */
export function csvOf({ estimate }: Answer): string {
  const rows = estimate.options.map((option) => columns.map(([, cell]) => cell(option)));
  return [columns.map(([name]) => name), ...rows].map(csvLine).join("");
}

/** jsonOf writes the API response, with the inputs. */
export function jsonOf({ request, estimate }: Answer): string {
  return `${JSON.stringify({ request, ...estimate }, null, 2)}\n`;
}

/** A sum with all six decimals and no exponent. */
function amount(micros: number): string {
  return (micros / perUnit).toFixed(6);
}
