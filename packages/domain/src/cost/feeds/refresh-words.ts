// The words of refreshes, apart from the schemas made of them, as those of prices are.

/** Whose prices can be fetched. */
export const priceFeeds = ["aws", "azure", "gcp", "oracle", "hetzner"] as const;
export type PriceFeedName = (typeof priceFeeds)[number];

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
