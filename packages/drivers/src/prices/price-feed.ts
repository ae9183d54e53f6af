import type { FeedRead, PriceFeedName } from "@fairlead/domain/cost";
import type { Fetcher } from "./open-fetcher.ts";

/** Which regions the catalogue has prices for, so that a feed is asked for these. */
export type Wanted = { regions: readonly string[] };

export type FeedContext = Fetcher & {
  /** Where the feed is: its provider, or a mirror of it. No slash at the end. */
  url: string;
  /** What lets us in, where its provider wants that. */
  key: string | null;
  now: Date;
};

/** PriceFeed reads what a provider publishes. It answers whole or not at all: FeedRefused says what was wrong. */
export type PriceFeed = {
  name: PriceFeedName;
  /** Its provider's own. */
  url: string;
  read: (wanted: Wanted, ctx: FeedContext) => Promise<FeedRead>;
};
