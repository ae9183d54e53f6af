import { readPrice } from "@fairlead/domain/cost";

const micro = 1_000_000;

/** numberIn parses a number. Invalid text becomes NaN, and the schema reports it at its field. */
export function numberIn(text: string): number {
  const bare = text.replace(/[\s_]/g, "");
  return /^-?(\d+\.?\d*|\.\d+)$/.test(bare) ? Number(bare) : Number.NaN;
}

/** microsIn parses an amount of money exactly. NaN if it is invalid or has more than six decimals. */
export function microsIn(text: string): number {
  const price = unitPriceIn(text);
  return price?.per === 1 ? price.micros : Number.NaN;
}

/** unitPriceIn parses a price with any number of decimals. */
export function unitPriceIn(text: string): { micros: number; per: number } | null {
  return readPrice(text.replace(/[\s_]/g, ""));
}

/** amountText formats an amount as a user would type it. */
export function amountText(micros: number, per = 1): string {
  const digits = 6 + Math.round(Math.log10(per));
  return (micros / (micro * per)).toFixed(digits).replace(/\.?0+$/, "");
}
