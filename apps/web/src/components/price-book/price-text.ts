import type { AgreedPrice, PricePoint, PriceUnit } from "@fairlead/domain";
import { unitPriceText } from "../calculator/money-text.ts";

const unitWords: Record<PriceUnit, string> = {
  hour: "an hour",
  month: "a month",
  "capacity-unit-hour": "a capacity unit and hour",
  GB: "a GB",
  GiB: "a GiB",
  "Mbps-hour": "a Mbit/s and hour",
  "million-requests": "a million requests",
};

/** agreedText writes what was agreed: 12 % less than listed, $0.018 an hour. */
export function agreedText(price: AgreedPrice, unit: PriceUnit): string {
  if (price.kind === "discount") return `${price.percent} % less than listed`;
  return `${unitPriceText(price.micros / price.per, price.currency)} ${unitWords[unit]}`;
}

const mostNamed = 3;

/** listedText says what is listed of a thing, in the regions that it was chosen for. */
export function listedText(points: readonly PricePoint[], today: string): string {
  const first = points.filter(({ fromUnits }) => fromUnits === 0);
  if (first.length === 0) return "";
  const places = first.slice(0, mostNamed).map(({ region, micros, per, currency, unit }) => {
    const place = region === "any" ? "everywhere" : `in ${region}`;
    return `${unitPriceText(micros / per, currency)} ${unitWords[unit]} ${place}`;
  });
  const more = first.length > mostNamed ? `, and ${first.length - mostNamed} more` : "";
  return `Listed${today ? ` on ${today}` : ""}: ${places.join(", ")}${more}.`;
}
