import type { Tx } from "@fairlead/db";
import { invalid } from "@fairlead/domain";
import { anyRegion, type PriceUnit, type Provider, providers, widenRegion } from "@fairlead/domain/cost";

type PricedItem = { provider: Provider; region: string; sku: string };

/** Own prices that have no list price: a line that is billed by traffic. */
const ownUnits: Record<string, PriceUnit> = { egress: "GB" };

const mostNamed = 12;

/**
 * findListedUnit returns the unit of a listed price. A price that isn't listed changes no estimate, so a typo in its
 * name is reported when it is entered, not by an estimate that stays the same.
 */
export async function findListedUnit(tx: Tx, { provider, region, sku }: PricedItem): Promise<PriceUnit> {
  if (provider === "own") {
    const unit = ownUnits[sku];
    if (unit && region === anyRegion) return unit;
    const path = unit ? "region" : "sku";
    throw invalid(
      [path],
      `Of your own, only ${Object.keys(ownUnits).join(", ")} in any region is a price; machines have a place of their own in the book.`,
    );
  }
  const rows = await tx.pricePoint.findMany({
    where: { provider },
    distinct: ["region", "sku", "unit"],
    select: { region: true, sku: true, unit: true },
  });
  const same = rows.filter((row) => row.sku === sku);
  if (same.length === 0)
    throw invalid(
      ["sku"],
      `${providers[provider].title} lists no price of ${sku}. ${named(
        "It lists",
        rows.map((row) => row.sku),
      )}`,
    );
  const around = region === anyRegion ? same : same.filter((row) => widenRegion(provider, region).includes(row.region));
  const [first] = around;
  if (!first)
    throw invalid(
      ["region"],
      `${providers[provider].title} lists no price of ${sku} in ${region}. ${named(
        "It does in",
        same.map((row) => row.region),
      )}`,
    );
  return first.unit as PriceUnit;
}

function named(begin: string, names: string[]): string {
  const all = [...new Set(names)].sort();
  const some = all.slice(0, mostNamed).join(", ");
  return all.length === 0
    ? ""
    : `${begin} ${some}${all.length > mostNamed ? ` and ${all.length - mostNamed} more` : ""}.`;
}
