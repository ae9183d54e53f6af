import { machineSkus, type PricePoint } from "@fairlead/domain/cost";
import { FeedRefused } from "../feed-refused.ts";
import type { FeedContext, PriceFeed } from "../price-feed.ts";
import { checkCurrency, checkTiers, dayOf, readAmount, unknownUnit } from "../read-amount.ts";
import { awsCurrency, awsPrices, findLists, newestDay, openOffers } from "./lists.ts";

const skus = machineSkus("aws");

/**
 * awsMachinesFeed reads the prices of machines. The list of each region has hundreds of megabytes, so it is a separate,
 * optional feed, and is read row by row.
 */
export const awsMachinesFeed: PriceFeed = {
  name: "aws-machines",
  url: awsPrices,
  async read({ regions }, ctx) {
    const offers = await openOffers(ctx);
    const points: PricePoint[] = [];
    for (const { region, url } of await findLists(ctx, offers, "AmazonEC2", regions))
      points.push(...(await readMachines(ctx, url.replace(/\.json$/, ".csv"), region)));
    const { source } = offers;
    return { provider: "aws", points: checkTiers(points), asOf: newestDay(points), source, regions, skus };
  },
};

const wanted = new Set(skus);
const columns = [
  "TermType",
  "Unit",
  "PricePerUnit",
  "Currency",
  "Product Family",
  "Location Type",
  "Instance Type",
  "Tenancy",
  "Operating System",
  "License Model",
  "Pre Installed S/W",
  "CapacityStatus",
  "Region Code",
] as const;
type Column = (typeof columns)[number];

/** On-demand machines on shared hosts, without a licence, in regions and not in edge zones. */
const ordinary: readonly [Column, string][] = [
  ["TermType", "OnDemand"],
  ["Product Family", "Compute Instance"],
  ["Location Type", "AWS Region"],
  ["Tenancy", "Shared"],
  ["Operating System", "Linux"],
  ["License Model", "No License required"],
  ["Pre Installed S/W", "NA"],
  ["CapacityStatus", "Used"],
];

/** Most rows are reservations for one or three years. */
const reserved = '"Reserved"';

async function readMachines(ctx: FeedContext, source: string, region: string): Promise<PricePoint[]> {
  const list = new MachineList(source, region);
  await ctx.fetchRows(source, (row) => list.take(row), { passOver: reserved });
  return list.points();
}

/** MachineList reads the rows of one region: metadata, the header, then one price per row. */
class MachineList {
  readonly #source: string;
  readonly #region: string;
  readonly #name: string;
  readonly #points: PricePoint[] = [];
  #asOf: string | null = null;
  #places: Map<Column, number> | null = null;
  #width = 0;

  constructor(source: string, region: string) {
    this.#source = source;
    this.#region = region;
    this.#name = `the list of machines of ${region}`;
  }

  take(row: readonly string[]): void {
    if (this.#places) this.#takePrice(row, this.#places);
    else if (row[0] === "Publication Date") this.#asOf = dayOf(row[1], this.#name);
    else if (row[0] === "SKU") this.#takeHeader(row);
  }

  points(): PricePoint[] {
    if (!this.#places) throw new FeedRefused("malformed", `No header in ${this.#name}.`);
    if (this.#asOf === null) throw new FeedRefused("malformed", `No valid date in ${this.#name}.`);
    return this.#points;
  }

  #takeHeader(header: readonly string[]): void {
    const missing = columns.find((column) => !header.includes(column));
    if (missing) throw new FeedRefused("malformed", `Column ${missing} is missing in ${this.#name}.`);
    this.#places = new Map(columns.map((column) => [column, header.indexOf(column)]));
    this.#width = header.length;
  }

  #takePrice(row: readonly string[], places: Map<Column, number>): void {
    // Only the last row can be cut off.
    if (row.length !== this.#width) throw new FeedRefused("truncated", `Incomplete row in ${this.#name}.`);
    const at = (column: Column) => row[places.get(column) ?? -1] ?? "";
    const sku = at("Instance Type");
    if (!wanted.has(sku) || at("Region Code") !== this.#region) return;
    if (ordinary.some(([column, value]) => at(column) !== value)) return;
    const about = `${sku} in ${this.#region}`;
    if (at("Unit") !== "Hrs") throw unknownUnit(at("Unit"), "Hrs", about);
    checkCurrency(at("Currency"), awsCurrency, about);
    this.#points.push({
      provider: "aws",
      region: this.#region,
      sku,
      unit: "hour",
      fromUnits: 0,
      ...readAmount(at("PricePerUnit"), about),
      currency: awsCurrency,
      asOf: this.#asOf,
      source: this.#source,
      confidence: "fed",
    });
  }
}
