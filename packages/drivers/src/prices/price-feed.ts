import type { FeedRead, PriceFeedName } from "@fairlead/domain/cost";
import type { Fetcher } from "./open-fetcher.ts";

/** The regions that the catalogue has prices for. */
export type Wanted = { regions: readonly string[] };

export type FeedContext = Fetcher & {
  /** The URL of the provider or of a mirror, without a trailing slash. */
  url: string;
  /** The API key, if the provider requires one. */
  key: string | null;
  now: Date;
};

/** PriceFeed reads the published prices of a provider, completely or not at all: it throws FeedRefused if anything is wrong. */
export type PriceFeed = {
  name: PriceFeedName;
  /** The URL of the provider. */
  url: string;
  read: (wanted: Wanted, ctx: FeedContext) => Promise<FeedRead>;
};
