// The one format of numbers, in messages of the API and in the dashboard: thousands are grouped with commas.

/** A formatter takes milliseconds to create, and a page waits for its modules. */
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  // American English: other locales write US$.
  const format = formats.get(key) ?? new Intl.NumberFormat("en-US", options);
  formats.set(key, format);
  return format;
}

export function count(value: number): string {
  return formatOf({}).format(value);
}

/** decimals formats a number with up to so many decimals. */
export function decimals(value: number, most: number): string {
  return formatOf({ maximumFractionDigits: most }).format(value);
}

/** significant formats a number with up to so many significant digits. Whole digits are all kept. */
export function significant(value: number, digits: number): string {
  if (Math.abs(value) >= 10 ** (digits - 1)) return count(Math.round(value));
  return formatOf({ maximumSignificantDigits: digits }).format(value);
}

/** toDigits rounds a number to so many significant digits. */
export function toDigits(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}

/** capacityOf formats the number of addresses in a pool. An IPv6 pool has too many to write out. */
export function capacityOf(addresses: number): string {
  if (addresses < 10_000_000) return count(addresses);
  return `2^${Math.round(Math.log2(addresses))}`;
}

/** money formats a sum in millionths of its currency, to the cent, or with more decimals if it has them. */
export function money(micros: number, currency: string, mostDecimals = 2): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: mostDecimals };
  return formatOf({ style: "currency", currency, ...digits }).format(micros / 1_000_000);
}

/** briefMoney formats a sum for an axis: $0.004, $20, $1.5K. */
export function briefMoney(micros: number, currency: string): string {
  const amount = micros / 1_000_000;
  const digits = { minimumFractionDigits: 0, maximumFractionDigits: amount < 1 ? 3 : 1 };
  return formatOf({ style: "currency", currency, notation: "compact", ...digits }).format(amount);
}
