import type { AgreedPrice, PricePoint, PriceUnit } from "@fairlead/domain/cost";
import { unitPriceText } from "../calculator/money-text.ts";

const unitWords: Record<PriceUnit, string> = {
  hour: "per hour",
  month: "per month",
  "capacity-unit-hour": "per capacity unit-hour",
  GB: "per GB",
  GiB: "per GiB",
  "Mbps-hour": "per Mbit/s-hour",
  "million-requests": "per million requests",
};

/** agreedText formats an agreement: 12 % below list price, $0.018 per hour. */
export function agreedText(price: AgreedPrice, unit: PriceUnit): string {
  if (price.kind === "discount") return `${price.percent} % below list price`;
  return `${unitPriceText(price.micros / price.per, price.currency)} ${unitWords[unit]}`;
}

const maxNamed = 3;

/** listedText formats the list price of an item in the regions it was selected for. */
export function listedText(points: readonly PricePoint[], today: string): string {
  const first = points.filter(({ fromUnits }) => fromUnits === 0);
  if (first.length === 0) return "";
  const places = first.slice(0, maxNamed).map(({ region, micros, per, currency, unit }) => {
    const place = region === "any" ? "everywhere" : `in ${region}`;
    return `${unitPriceText(micros / per, currency)} ${unitWords[unit]} ${place}`;
  });
  const more = first.length > maxNamed ? `, and ${first.length - maxNamed} more` : "";
  return `List price${today ? ` on ${today}` : ""}: ${places.join(", ")}${more}.`;
}
