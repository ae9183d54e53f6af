import { type PricePoint, readPrice, type UnitPrice } from "@fairlead/domain/cost";
import { FeedRefused } from "./feed-refused.ts";

/** readAmount takes a price as JSON has it, "0.0225000000" or 0.0225. about names it for whoever reads the refusal. */
export function readAmount(given: unknown, about: string): UnitPrice {
  if (given === undefined || given === null || given === "")
    throw new FeedRefused("no-price", `It has no price of ${about}.`);
  const text = typeof given === "number" ? spell(given) : String(given);
  if (/^-/.test(text)) throw new FeedRefused("negative-price", `It says ${text} for ${about}, which is no price.`);
  const price = readPrice(text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (!price) throw new FeedRefused("malformed", `It says "${text.slice(0, 40)}" for ${about}, which is no price.`);
  return price;
}

/** spell writes a number without an exponent: 0.0000001 is 1e-7 to JavaScript. */
function spell(value: number): string {
  const text = String(value);
  return text.includes("e") && Number.isFinite(value) ? value.toFixed(12) : text;
}

/** readUnits takes the bound of a tier, 10240 or "10240". */
export function readUnits(given: unknown, about: string): number {
  const value = Number(given);
  if (given === null || given === "" || !Number.isFinite(value) || value < 0)
    throw new FeedRefused("malformed", `It says "${String(given).slice(0, 40)}" for where a tier of ${about} begins.`);
  return value;
}

/** checkCurrency refuses prices in another currency than was asked for: as a number, nothing gives that away. */
export function checkCurrency(said: unknown, asked: string, about: string): void {
  if (said === asked) return;
  throw new FeedRefused(
    "wrong-currency",
    `It was asked for ${asked} and says ${typeof said === "string" ? said.slice(0, 10) : "no currency"} for ${about}.`,
  );
}

/** unknownUnit is what a price is refused with that is for something else than it is taken for. */
export function unknownUnit(unit: unknown, expected: string, about: string): FeedRefused {
  return new FeedRefused(
    "unknown-unit",
    `It says the price of ${about} is for "${String(unit).slice(0, 60)}", and not for ${expected}.`,
  );
}

/**
 * checkTiers refuses what can't be a list of tiers: a first one that begins later than with the first unit, or two that
 * begin together. A feed that names a thing twice leaves open what it costs.
 */
export function checkTiers(points: readonly PricePoint[]): PricePoint[] {
  const things = Map.groupBy(points, ({ region, sku }) => `${sku} in ${region}`);
  for (const [about, tiers] of things) {
    const bounds = tiers.map(({ fromUnits }) => fromUnits);
    if (new Set(bounds).size < bounds.length)
      throw new FeedRefused("ambiguous", `It names more than one price of ${about}.`);
    if (!bounds.includes(0)) throw new FeedRefused("no-price", `It has no price of the first unit of ${about}.`);
  }
  return [...points];
}

/** dayOf takes the day of a time such as 2026-09-20T10:11:12Z. */
export function dayOf(given: unknown, about: string): string {
  const at = typeof given === "string" ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(at)) throw new FeedRefused("malformed", `It doesn't say of which day ${about} is.`);
  return new Date(at).toISOString().slice(0, 10);
}
