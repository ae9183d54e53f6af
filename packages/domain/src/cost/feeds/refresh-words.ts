import { type Provider, providers } from "../prices/providers.ts";

// The words of refreshes, apart from the schemas made of them, as those of prices are.

type FeedFacts = {
  provider: Provider;
  /** Its name on screen. */
  title: string;
  /** The variable of the controller that holds what the feed can't be read without. */
  keyVariable: string | null;
};

/** The price feeds: what can be fetched, and whose prices it has. */
export const priceFeeds = {
  aws: { provider: "aws", title: providers.aws.title, keyVariable: null },
  "aws-machines": { provider: "aws", title: `Machines of ${providers.aws.title}`, keyVariable: null },
  azure: { provider: "azure", title: providers.azure.title, keyVariable: null },
  gcp: { provider: "gcp", title: providers.gcp.title, keyVariable: "FAIRLEAD_GCP_PRICE_KEY" },
  oracle: { provider: "oracle", title: providers.oracle.title, keyVariable: null },
  hetzner: { provider: "hetzner", title: providers.hetzner.title, keyVariable: "FAIRLEAD_HETZNER_PRICE_TOKEN" },
} as const satisfies Record<string, FeedFacts>;

export type PriceFeedName = keyof typeof priceFeeds;
export const priceFeedNames = Object.keys(priceFeeds) as [PriceFeedName, ...PriceFeedName[]];

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
