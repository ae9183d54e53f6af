import { z } from "zod";
import { idOf } from "../../id.ts";
import { listInput, manyOf } from "../../page.ts";
import { priceUnit, provider } from "../prices/price-point.ts";
import { heldStates, holdKinds, priceFeedNames, refreshStates } from "./refresh-words.ts";

export const priceFeedName = z.enum(priceFeedNames).meta({ id: "PriceFeed" });
export const refreshState = z.enum(refreshStates).meta({ id: "PriceRefreshState" });

/** PriceRefresh is one fetch of a provider's prices, with its result. */
export const priceRefresh = z
  .object({
    id: idOf("priceRefresh"),
    feed: priceFeedName,
    state: refreshState,
    reason: z.string().describe("Why it failed; empty otherwise."),
    isScheduled: z.boolean(),
    requestedBy: z.string().describe("Who requested it; for a scheduled one, the schedule."),
    requestedAt: z.date(),
    startedAt: z.date().nullable(),
    endedAt: z.date().nullable().describe("When the feed was read and checked. Held prices may be decided later."),
    asOf: z.string().nullable().describe("The date of the feed."),
    source: z.string().nullable().describe("The address of the feed."),
    readCount: z.int().describe("Number of relevant prices in the feed."),
    appliedCount: z.int().describe("Number of them that were accepted automatically."),
    unchangedCount: z.int().describe("Number of them that were unchanged."),
    skippedCount: z.int().describe("Number of them that were already rejected, or accepted as removed."),
    waitingCount: z.int().describe("Number of prices waiting for review."),
    acceptedCount: z.int(),
    rejectedCount: z.int(),
  })
  .meta({ id: "PriceRefresh" });
export type PriceRefresh = z.infer<typeof priceRefresh>;

/** HeldTier is a price from a number of units per month on. */
export const heldTier = z.object({
  fromUnits: z.number(),
  micros: z.int().describe("The price of `per` units, in millionths of the currency."),
  per: z.int().describe("The number of units that micros is for."),
});
export type HeldTier = z.infer<typeof heldTier>;

export const holdReason = z.object({
  kind: z.enum(holdKinds),
  message: z.string(),
});
export type HoldReason = z.infer<typeof holdReason>;

/** HeldPrice is a new price that needs a review. */
export const heldPrice = z
  .object({
    id: idOf("heldPrice"),
    provider,
    region: z.string(),
    sku: z.string(),
    unit: priceUnit,
    currency: z.string(),
    asOf: z.string(),
    source: z.string(),
    before: z.array(heldTier).describe("The current price; empty if unknown."),
    beforeAsOf: z.string().nullable(),
    after: z.array(heldTier).describe("The price in the feed; empty if the feed no longer lists it."),
    reasons: z.array(holdReason),
    state: z.enum(heldStates),
    decidedBy: z.string().nullable(),
    decidedAt: z.date().nullable(),
  })
  .meta({ id: "HeldPrice" });
export type HeldPrice = z.infer<typeof heldPrice>;

/** The limit of held prices of one refresh: far more than a provider has relevant prices. */
export const mostHeld = 1_000;

export const priceRefreshDetail = priceRefresh
  .extend({ held: z.array(heldPrice).describe(`Held prices, those waiting for review first; ${mostHeld} at most.`) })
  .meta({ id: "PriceRefreshDetail" });
export type PriceRefreshDetail = z.infer<typeof priceRefreshDetail>;

export const startPriceRefresh = z.strictObject({ feed: priceFeedName }).meta({ id: "StartPriceRefresh" });
export type StartPriceRefresh = z.infer<typeof startPriceRefresh>;

export const decideHeldPrices = z.strictObject({
  id: idOf("priceRefresh"),
  heldIds: z
    .array(idOf("heldPrice"))
    .min(1, "enter at least one, or leave it out for all held prices")
    .max(mostHeld)
    .optional()
    .describe("The prices to decide. Default: all that wait."),
});
export type DecideHeldPrices = z.infer<typeof decideHeldPrices>;

export const listPriceRefreshes = listInput(
  ["requestedAt"],
  { feed: manyOf(priceFeedName), state: manyOf(refreshState) },
  { sort: "requestedAt", direction: "desc" },
);
export type ListPriceRefreshes = z.infer<typeof listPriceRefreshes>;
