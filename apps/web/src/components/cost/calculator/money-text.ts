import { lazily } from "../../words/lazily.ts";

const perUnit = 1_000_000;
const finest = 0.0001;

// American English: other locales write US$.
const formats = lazily(() => new Map<string, Intl.NumberFormat>());

function formatOf(currency: string, most: number): Intl.NumberFormat {
  const key = `${currency} ${most}`;
  const known = formats().get(key);
  if (known) return known;
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: most };
  const made = new Intl.NumberFormat("en-US", { style: "currency", currency, ...digits });
  formats().set(key, made);
  return made;
}

/** monthText formats a sum to the cent. */
export function monthText(micros: number, currency: string): string {
  return formatOf(currency, 2).format(micros / perUnit);
}

/** hourText formats an hourly cost: small sums with more decimals. */
export function hourText(micros: number, currency: string): string {
  const amount = micros / perUnit;
  if (amount > 0 && amount < finest) return `< ${formatOf(currency, 4).format(finest)}`;
  return formatOf(currency, amount < 1 ? 4 : 2).format(amount);
}

/** unitPriceText formats a price with all its published digits. */
export function unitPriceText(micros: number, currency: string): string {
  return formatOf(currency, 10).format(micros / perUnit);
}

/** axisText formats a sum briefly: $20, $1.5k. */
export function axisText(micros: number, currency: string): string {
  const amount = micros / perUnit;
  const compact = { notation: "compact", maximumFractionDigits: amount < 1 ? 3 : 1 } as const;
  return new Intl.NumberFormat("en-US", { style: "currency", currency, minimumFractionDigits: 0, ...compact }).format(
    amount,
  );
}
