/** UnitPrice is exact: micros are millionths of a currency for per units, so prices such as 0.0083764275 keep all digits. */
export type UnitPrice = { micros: number; per: number };

const decimal = /^(\d{1,9})(?:\.(\d{1,12}))?$/;
const microDigits = 6;

/** readPrice parses a decimal price, such as 0.008; null if it is invalid. */
export function readPrice(text: string): UnitPrice | null {
  const [, whole, fraction = ""] = decimal.exec(text) ?? [];
  if (whole === undefined) return null;
  const digits = Math.max(microDigits, fraction.length);
  const micros = Number(whole + fraction.padEnd(digits, "0"));
  return Number.isSafeInteger(micros) ? { micros, per: 10 ** (digits - microDigits) } : null;
}

/** unitMicros is the price of one unit in micros, which may have a fraction. */
export function unitMicros({ micros, per }: UnitPrice): number {
  return micros / per;
}
