import { type Provider, providerNames } from "../prices/price-words.ts";

// The words of refreshes, apart from the schemas made of them, as those of prices are.

/** What can be fetched of whose prices. */
export const priceFeeds = ["aws", "aws-machines", "azure", "gcp", "oracle", "hetzner"] as const;
export type PriceFeedName = (typeof priceFeeds)[number];

/** feedProvider is whose prices a feed has. */
export function feedProvider(feed: PriceFeedName): Provider {
  return feed === "aws-machines" ? "aws" : feed;
}

/** feedName is what people call a feed. */
export function feedName(feed: PriceFeedName): string {
  return feed === "aws-machines" ? `Machines of ${providerNames.aws}` : providerNames[feed];
}

/**
 * waiting: asked for, and no controller has begun; held: some prices wait for a person; failed: nothing was taken from it.
 * Of an applied one, everything is decided.
 */
export const refreshStates = ["waiting", "running", "held", "applied", "failed"] as const;
export type RefreshState = (typeof refreshStates)[number];

/** superseded: a later refresh of the same feed said something again before anybody decided. */
export const heldStates = ["waiting", "accepted", "rejected", "superseded"] as const;
export type HeldState = (typeof heldStates)[number];

/** Why a price is held for a person. older: the feed is of an earlier day than what is known. */
export const holdKinds = ["moved", "differs", "zero", "missing", "older"] as const;
export type HoldKind = (typeof holdKinds)[number];
