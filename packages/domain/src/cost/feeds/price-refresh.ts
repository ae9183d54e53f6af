import { z } from "zod";
import { idOf } from "../../id.ts";
import { listInput, manyOf } from "../../page.ts";
import { priceUnit, provider } from "../prices/price-point.ts";
import { heldStates, holdKinds, priceFeedNames, refreshStates } from "./refresh-words.ts";

export const priceFeedName = z.enum(priceFeedNames).meta({ id: "PriceFeed" });
export const refreshState = z.enum(refreshStates).meta({ id: "PriceRefreshState" });

/** PriceRefresh is one reading of a provider's prices, and what came of it. */
export const priceRefresh = z
  .object({
    id: idOf("priceRefresh"),
    feed: priceFeedName,
    state: refreshState,
    reason: z.string().describe("Why it failed; empty otherwise."),
    isScheduled: z.boolean(),
    askedBy: z.string().describe("Who asked for it; of a scheduled one, the schedule."),
    askedAt: z.date(),
    startedAt: z.date().nullable(),
    endedAt: z.date().nullable().describe("When the feed was read and judged; people may decide later."),
    asOf: z.string().nullable().describe("The day that the feed is of."),
    source: z.string().nullable().describe("Where it was read."),
    readCount: z.int().describe("How many prices the feed has of what is compared here."),
    appliedCount: z.int().describe("Of those, the ones that were taken at once."),
    unchangedCount: z.int().describe("Of those, the ones that were known so."),
    skippedCount: z.int().describe("Of those, the ones that somebody has rejected, or taken for gone, before."),
    waitingCount: z.int().describe("How many wait for a person."),
    acceptedCount: z.int(),
    rejectedCount: z.int(),
  })
  .meta({ id: "PriceRefresh" });
export type PriceRefresh = z.infer<typeof priceRefresh>;

/** HeldTier is a price from so many units in a month on. */
export const heldTier = z.object({
  fromUnits: z.number(),
  micros: z.int().describe("So many millionths of the currency ..."),
  per: z.int().describe("... for so many units."),
});
export type HeldTier = z.infer<typeof heldTier>;

export const holdReason = z.object({
  kind: z.enum(holdKinds),
  message: z.string(),
});
export type HoldReason = z.infer<typeof holdReason>;

/** HeldPrice is what one thing would cost from now on, if a person says so. */
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
    before: z.array(heldTier).describe("What counts now; empty where nothing is known."),
    beforeAsOf: z.string().nullable(),
    after: z.array(heldTier).describe("What the feed says; empty where it says nothing of it any more."),
    reasons: z.array(holdReason),
    state: z.enum(heldStates),
    decidedBy: z.string().nullable(),
    decidedAt: z.date().nullable(),
  })
  .meta({ id: "HeldPrice" });
export type HeldPrice = z.infer<typeof heldPrice>;

/** What one refresh may hold: far more than a provider has of what is compared. */
export const mostHeld = 1_000;

export const priceRefreshDetail = priceRefresh
  .extend({ held: z.array(heldPrice).describe(`Those that wait first; ${mostHeld} at most.`) })
  .meta({ id: "PriceRefreshDetail" });
export type PriceRefreshDetail = z.infer<typeof priceRefreshDetail>;

export const startPriceRefresh = z.strictObject({ feed: priceFeedName }).meta({ id: "StartPriceRefresh" });
export type StartPriceRefresh = z.infer<typeof startPriceRefresh>;

export const decideHeldPrices = z.strictObject({
  id: idOf("priceRefresh"),
  heldIds: z
    .array(idOf("heldPrice"))
    .min(1, "name one at least, or leave it out for all that wait")
    .max(mostHeld)
    .optional()
    .describe("Which of its prices; absent for all that wait."),
});
export type DecideHeldPrices = z.infer<typeof decideHeldPrices>;

export const listPriceRefreshes = listInput(
  ["askedAt"],
  { feed: manyOf(priceFeedName), state: manyOf(refreshState) },
  { sort: "askedAt", direction: "desc" },
);
export type ListPriceRefreshes = z.infer<typeof listPriceRefreshes>;
