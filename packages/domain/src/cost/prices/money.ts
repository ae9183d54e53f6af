/** UnitPrice is exact: so many millionths of a currency for so many units. A price of 0.0083764275 has no fewer digits. */
export type UnitPrice = { micros: number; per: number };

const decimal = /^(\d{1,9})(?:\.(\d{1,12}))?$/;
const microDigits = 6;

/** readPrice takes a price as it is published, such as 0.008; null for what is none. */
export function readPrice(text: string): UnitPrice | null {
  const [, whole, fraction = ""] = decimal.exec(text) ?? [];
  if (whole === undefined) return null;
  const digits = Math.max(microDigits, fraction.length);
  const micros = Number(whole + fraction.padEnd(digits, "0"));
  return Number.isSafeInteger(micros) ? { micros, per: 10 ** (digits - microDigits) } : null;
}

/** unitMicros is a price as a number of micros, which may have a fraction. */
export function unitMicros({ micros, per }: UnitPrice): number {
  return micros / per;
}
