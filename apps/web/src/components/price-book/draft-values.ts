import { readPrice } from "@fairlead/domain";

const micro = 1_000_000;

/** numberIn reads what was typed; what is no number stays one that is none, and the schema says so at its field. */
export function numberIn(text: string): number {
  const bare = text.replace(/[\s_]/g, "");
  return /^-?(\d+\.?\d*|\.\d+)$/.test(bare) ? Number(bare) : Number.NaN;
}

/** microsIn reads an amount of money, exactly; NaN for what is none, or is finer than a millionth. */
export function microsIn(text: string): number {
  const price = unitPriceIn(text);
  return price?.per === 1 ? price.micros : Number.NaN;
}

/** unitPriceIn reads a price of any fineness. */
export function unitPriceIn(text: string): { micros: number; per: number } | null {
  return readPrice(text.replace(/[\s_]/g, ""));
}

/** amountText writes an amount as it would be typed. */
export function amountText(micros: number, per = 1): string {
  const digits = 6 + Math.round(Math.log10(per));
  return (micros / (micro * per)).toFixed(digits).replace(/\.?0+$/, "");
}
