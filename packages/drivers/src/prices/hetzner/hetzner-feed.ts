import { bytesOfGb, machineSkus, type PricePoint } from "@fairlead/domain/cost";
import { z } from "zod";
import { FeedRefused } from "../feed-refused.ts";
import { parseDocument } from "../parse-document.ts";
import type { PriceFeed } from "../price-feed.ts";
import { checkTiers, readAmount } from "../read-amount.ts";

const amount = z.object({ net: z.string() });
const place = z.object({
  location: z.string().regex(/^[a-z0-9-]{1,32}$/),
  price_hourly: amount.optional(),
  price_monthly: amount.optional(),
  /** Bytes per month. */
  included_traffic: z.number().nullish(),
  price_per_tb_traffic: amount.optional(),
});
type Place = z.infer<typeof place>;
const sizes = z.array(z.object({ name: z.string(), prices: z.array(place) }));
const answer = z.object({
  pricing: z.object({
    currency: z.string(),
    server_types: sizes,
    load_balancer_types: sizes,
    primary_ips: z.array(z.object({ type: z.string(), prices: z.array(place) })),
  }),
});

/** Hetzner uses the currency of the key's account, one of these. */
const currencies: readonly string[] = ["EUR", "USD"];
const balancers = ["lb11"];
const gbPerTb = 1_000;

/** hetznerFeed reads balancers, machines, addresses and data to the internet, without tax. */
export const hetznerFeed: PriceFeed = {
  name: "hetzner",
  url: "https://api.hetzner.cloud",
  async read(_, ctx) {
    if (ctx.key === null)
      throw new FeedRefused(
        "no-key",
        "Hetzner requires a token: set FAIRLEAD_HETZNER_PRICE_TOKEN for the controller. A read-only token is enough.",
      );
    const source = `${ctx.url}/v1/pricing`;
    const given = await ctx.fetchJson(source, { authorization: `Bearer ${ctx.key}` });
    const { pricing } = parseDocument(answer, given, "The list of prices");
    const { currency } = pricing;
    if (!currencies.includes(currency))
      throw new FeedRefused(
        "wrong-currency",
        `The currency is ${currency.slice(0, 10)}; Hetzner uses ${currencies.join(" and ")}.`,
      );
    const asOf = ctx.now.toISOString().slice(0, 10);
    const make = (
      region: string,
      sku: string,
      rest: Pick<PricePoint, "unit" | "micros" | "per">,
      fromUnits = 0,
    ): PricePoint => ({
      provider: "hetzner",
      region,
      sku,
      fromUnits,
      currency,
      asOf,
      source,
      confidence: "fed",
      ...rest,
    });
    const sold = [
      ...pricing.load_balancer_types.filter(({ name }) => balancers.includes(name.toLowerCase())),
      ...pricing.server_types.filter(({ name }) => machines.includes(name.toLowerCase())),
      ...pricing.primary_ips
        .filter(({ type }) => type === "ipv4")
        .map(({ prices }) => ({ name: "primary-ipv4", prices })),
    ];
    const points = sold.flatMap(({ name, prices }) =>
      prices.flatMap((each) => readPlace(name.toLowerCase(), each, make)),
    );
    const regions = [...new Set(points.map(({ region }) => region))];
    return { provider: "hetzner", points: checkTiers(points), asOf, source, regions, skus };
  },
};

const machines = machineSkus("hetzner");
const paidByTime = [...balancers, ...machines, "primary-ipv4"];
const skus = [...paidByTime, ...paidByTime.map((sku) => `${sku}-hour`), "egress"];

type Make = (
  region: string,
  sku: string,
  rest: Pick<PricePoint, "unit" | "micros" | "per">,
  fromUnits?: number,
) => PricePoint;

function readPlace(sku: string, each: Place, make: Make): PricePoint[] {
  const about = `${sku} in ${each.location}`;
  const month = readAmount(each.price_monthly?.net, about);
  return [
    make(each.location, sku, { unit: "month", ...month }),
    ...(each.price_hourly
      ? [make(each.location, `${sku}-hour`, { unit: "hour", ...readAmount(each.price_hourly.net, about) })]
      : []),
    // The included traffic of a balancer belongs to its offer. Machines include the same amount.
    ...(balancers.includes(sku) ? readTraffic(each, make) : []),
  ];
}

function readTraffic({ location, included_traffic, price_per_tb_traffic }: Place, make: Make): PricePoint[] {
  if (!price_per_tb_traffic) return [];
  const { micros, per } = readAmount(price_per_tb_traffic.net, `data to the internet from ${location}`);
  const price = { unit: "GB" as const, micros, per: per * gbPerTb };
  // In bytes: the 20 TB of a plan are 20 × 2^40 bytes, which is 21 990 GB. The price of further traffic is assumed to be
  // per 1 000 GB, because the size of those TB is not documented.
  const included = Math.floor((included_traffic ?? 0) / bytesOfGb);
  if (included === 0) return [make(location, "egress", price)];
  return [make(location, "egress", { unit: "GB", micros: 0, per: 1 }), make(location, "egress", price, included)];
}
