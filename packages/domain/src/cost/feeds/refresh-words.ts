import { type Provider, providers } from "../prices/providers.ts";

// Names of refreshes, separate from the schemas, like those of prices: pages can use them without loading zod.

type FeedFacts = {
  provider: Provider;
  /** Its name on screen. */
  title: string;
  /** The controller's environment variable with the API key of the feed, if it needs one. */
  keyVariable: string | null;
};

/** The price feeds, with their providers. */
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
 * waiting: requested, but not started by a controller; held: some prices wait for review; applied: all prices are decided;
 * failed: no price was accepted.
 */
export const refreshStates = ["waiting", "running", "held", "applied", "failed"] as const;
export type RefreshState = (typeof refreshStates)[number];

/** superseded: a later refresh of the same feed included the price before it was decided. */
export const heldStates = ["waiting", "accepted", "rejected", "superseded"] as const;
export type HeldState = (typeof heldStates)[number];

/** Why a price is held for review. older: the feed has an earlier date than the known price. */
export const holdKinds = ["moved", "differs", "zero", "missing", "older"] as const;
export type HoldKind = (typeof holdKinds)[number];
