import type { FeedRead, PriceFeedName } from "@fairlead/domain/cost";
import { EndlessList } from "@fairlead/http";
import { awsFeed } from "./aws/aws-feed.ts";
import { awsMachinesFeed } from "./aws/aws-machines-feed.ts";
import { azureFeed } from "./azure/azure-feed.ts";
import { FeedRefused } from "./feed-refused.ts";
import { gcpFeed } from "./gcp/gcp-feed.ts";
import { hetznerFeed } from "./hetzner/hetzner-feed.ts";
import { type FetchLimits, feedLimits, openFetcher } from "./open-fetcher.ts";
import { oracleFeed } from "./oracle/oracle-feed.ts";
import type { PriceFeed, Wanted } from "./price-feed.ts";

const feeds: Record<PriceFeedName, PriceFeed> = {
  aws: awsFeed,
  "aws-machines": awsMachinesFeed,
  azure: azureFeed,
  gcp: gcpFeed,
  oracle: oracleFeed,
  hetzner: hetznerFeed,
};

/** FeedAccess is the operator's setting for a feed: its mirror and its key. */
export type FeedAccess = { url: string | null; key: string | null };

export type FeedReader = (
  name: PriceFeedName,
  wanted: Wanted,
  options: { signal: AbortSignal; now: Date },
) => Promise<FeedRead>;

const dayMs = 86_400_000;
/** The largest feed has a few hundred of the compared prices. */
const mostPrices = 5_000;

/** feedReader reads feeds from their providers or from configured mirrors. Every failure is a FeedRefused. */
export function feedReader(
  access: Partial<Record<PriceFeedName, FeedAccess>>,
  limits: FetchLimits = feedLimits,
): FeedReader {
  return async (name, wanted, { signal, now }) => {
    const feed = feeds[name];
    const { url = null, key = null } = access[name] ?? {};
    const fetcher = openFetcher(limits, signal);
    try {
      const { fetchJson, fetchRows } = fetcher;
      const read = await feed.read(wanted, {
        fetchJson,
        fetchRows,
        url: (url ?? feed.url).replace(/\/+$/, ""),
        key,
        now,
      });
      if (read.points.length === 0)
        throw new FeedRefused("empty", `The feed has none of the compared prices in ${wanted.regions.join(", ")}.`);
      if (read.points.length > mostPrices)
        throw new FeedRefused("malformed", `The feed has ${read.points.length} prices; a few hundred are expected.`);
      // Two days of tolerance, because clocks and time zones differ.
      if (Date.parse(read.asOf) > now.getTime() + 2 * dayMs)
        throw new FeedRefused("malformed", `The feed has the date ${read.asOf}, which is in the future.`);
      return read;
    } catch (error) {
      throw error instanceof EndlessList ? new FeedRefused("endless", `${error.message}.`, { cause: error }) : error;
    } finally {
      await fetcher.close();
    }
  };
}
