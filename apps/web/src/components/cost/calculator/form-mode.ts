import { type CalculatorParams, type Mode, numberFields } from "./search-params.ts";

/** The fields of the quick form: traffic, TLS and region. */
const quickNumbers: readonly string[] = ["averageMbps", "peakMbps"];

/** modeOf returns the chosen form, or the one that shows everything that is set. */
export function modeOf(params: CalculatorParams): Mode {
  return params.mode ?? (detailsIn(params) > 0 ? "detailed" : "quick");
}

/** detailsIn counts the settings that the quick form doesn't show. They apply nevertheless. */
export function detailsIn(params: CalculatorParams): number {
  const numbers = numberFields.filter((field) => !quickNumbers.includes(field) && params[field] !== "");
  const others = [
    params.protocol !== "tcp",
    params.exposedAs !== "one",
    params.constraints.length > 0,
    params.currency !== "USD",
    params.rates.length > 0,
  ];
  return numbers.length + others.filter(Boolean).length;
}
