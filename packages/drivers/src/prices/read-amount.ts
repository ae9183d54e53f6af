import { type PricePoint, readPrice, type UnitPrice } from "@fairlead/domain/cost";
import { FeedRefused } from "./feed-refused.ts";

/** readAmount parses a price in JSON, "0.0225000000" or 0.0225. about names it in error messages. */
export function readAmount(given: unknown, about: string): UnitPrice {
  if (given === undefined || given === null || given === "")
    throw new FeedRefused("no-price", `No price for ${about}.`);
  const text = typeof given === "number" ? spell(given) : String(given);
  if (/^-/.test(text)) throw new FeedRefused("negative-price", `Negative price ${text} for ${about}.`);
  const price = readPrice(text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (!price) throw new FeedRefused("malformed", `Invalid price "${text.slice(0, 40)}" for ${about}.`);
  return price;
}

/** spell formats a number without an exponent: JavaScript formats 0.0000001 as 1e-7. */
function spell(value: number): string {
  const text = String(value);
  return text.includes("e") && Number.isFinite(value) ? value.toFixed(12) : text;
}

/** readUnits parses the start of a tier, 10240 or "10240". */
export function readUnits(given: unknown, about: string): number {
  const value = Number(given);
  if (given === null || given === "" || !Number.isFinite(value) || value < 0)
    throw new FeedRefused("malformed", `Invalid tier start "${String(given).slice(0, 40)}" for ${about}.`);
  return value;
}

/** checkCurrency rejects prices in another currency than requested, which would not be noticeable in a number. */
export function checkCurrency(received: unknown, requested: string, about: string): void {
  if (received === requested) return;
  throw new FeedRefused(
    "wrong-currency",
    `Requested ${requested}, received ${typeof received === "string" ? received.slice(0, 10) : "no currency"} for ${about}.`,
  );
}

/** unknownUnit is the error for a price with an unexpected unit. */
export function unknownUnit(unit: unknown, expected: string, about: string): FeedRefused {
  return new FeedRefused(
    "unknown-unit",
    `Unexpected unit "${String(unit).slice(0, 60)}" for ${about}: expected ${expected}.`,
  );
}

/**
 * checkTiers rejects invalid tiers: without one that starts at the first unit, or with two that start together, because
 * then the price is ambiguous.
 */
export function checkTiers(points: readonly PricePoint[]): PricePoint[] {
  const things = Map.groupBy(points, ({ region, sku }) => `${sku} in ${region}`);
  for (const [about, tiers] of things) {
    const bounds = tiers.map(({ fromUnits }) => fromUnits);
    if (new Set(bounds).size < bounds.length) throw new FeedRefused("ambiguous", `More than one price for ${about}.`);
    if (!bounds.includes(0)) throw new FeedRefused("no-price", `No price for the first unit of ${about}.`);
  }
  return [...points];
}

/** dayOf returns the day of a time such as 2026-09-20T10:11:12Z. */
export function dayOf(given: unknown, about: string): string {
  const at = typeof given === "string" ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(at)) throw new FeedRefused("malformed", `No valid date in ${about}.`);
  return new Date(at).toISOString().slice(0, 10);
}
