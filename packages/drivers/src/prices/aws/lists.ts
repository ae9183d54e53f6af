import type { PricePoint } from "@fairlead/domain/cost";
import { z } from "zod";
import { FeedRefused } from "../feed-refused.ts";
import { parseDocument } from "../parse-document.ts";
import type { FeedContext } from "../price-feed.ts";

// The bulk price list: an index of services, for each an index of regions, for each a list.
const offerIndex = z.object({ offers: z.record(z.string(), z.object({ currentRegionIndexUrl: z.string() })) });
const regionIndex = z.object({ regions: z.record(z.string(), z.object({ currentVersionUrl: z.string() })) });

export const awsPrices = "https://pricing.us-east-1.amazonaws.com";
export const awsCurrency = "USD";
const indexPath = "/offers/v1.0/aws/index.json";

type Offers = z.infer<typeof offerIndex> & { source: string };

export async function openOffers(ctx: FeedContext): Promise<Offers> {
  const source = `${ctx.url}${indexPath}`;
  return { ...parseDocument(offerIndex, await ctx.fetchJson(source), "The index of offers"), source };
}

/** findLists finds the newest list of a service in each region that has one. */
export async function findLists(
  ctx: FeedContext,
  { offers }: Offers,
  code: string,
  regions: readonly string[],
): Promise<{ region: string; url: string }[]> {
  const offer = offers[code];
  if (!offer) throw new FeedRefused("malformed", `The index of offers has no entry ${code}.`);
  const url = within(ctx, offer.currentRegionIndexUrl);
  const index = parseDocument(regionIndex, await ctx.fetchJson(url), `The regions of ${code}`);
  return regions.flatMap((region) => {
    const listed = index.regions[region];
    return listed ? [{ region, url: within(ctx, listed.currentVersionUrl) }] : [];
  });
}

/** within resolves a URL in an index, and rejects one of another server. */
function within({ url }: FeedContext, given: string): string {
  const address = given.startsWith("/") ? URL.parse(`${url}${given}`) : URL.parse(given, `${url}${indexPath}`);
  if (address?.origin === new URL(url).origin) return address.href;
  throw new FeedRefused(
    "elsewhere",
    `The index links to another server, ${address?.host ?? `"${given.slice(0, 60)}"`}.`,
  );
}

/** newestDay is the date of a feed with several lists. */
export function newestDay(points: readonly PricePoint[]): string {
  return points.reduce((day, point) => (point.asOf !== null && point.asOf > day ? point.asOf : day), "");
}
