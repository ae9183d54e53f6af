import { money } from "@fairlead/domain/numbers";

const perUnit = 1_000_000;
const finest = 0.0001;

/** monthText formats a sum to the cent. */
export function monthText(micros: number, currency: string): string {
  return money(micros, currency);
}

/** hourText formats an hourly cost: small sums with more decimals. */
export function hourText(micros: number, currency: string): string {
  const amount = micros / perUnit;
  if (amount > 0 && amount < finest) return `< ${money(finest * perUnit, currency, 4)}`;
  return money(micros, currency, amount < 1 ? 4 : 2);
}

/** unitPriceText formats a price with all its published digits. */
export function unitPriceText(micros: number, currency: string): string {
  return money(micros, currency, 10);
}
