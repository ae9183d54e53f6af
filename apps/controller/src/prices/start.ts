import type { Db } from "@fairlead/db";
import type { PriceFeedName } from "@fairlead/domain/cost";
import { type FeedReader, FeedRefused } from "@fairlead/drivers/prices";
import {
  type ClaimedRefresh,
  claimPriceRefresh,
  describeOutage,
  type FeedOutcome,
  finishPriceRefresh,
  listWantedRegions,
  schedulePriceRefreshes,
} from "@fairlead/services";
import type { Log } from "@fairlead/telemetry";
import { type Repeated, repeat } from "../repeat.ts";

export type PriceRefreshesOptions = {
  db: Db;
  log: Log;
  read: FeedReader;
  /** Feeds that are read daily, without a request. */
  scheduled: readonly PriceFeedName[];
  now?: () => Date;
  /** How often to check for requests. */
  everyMs?: number;
};

/** startPriceRefreshes reads feeds that are requested or due. Any number of controllers may run it. */
export function startPriceRefreshes(options: PriceRefreshesOptions): Repeated {
  const { db, log, read, scheduled, now = () => new Date(), everyMs = 2_000 } = options;

  async function refreshDue(stopping: AbortSignal): Promise<void> {
    await schedulePriceRefreshes(db, scheduled, now());
    for (;;) {
      const claimed = stopping.aborted ? null : await claimPriceRefresh(db, now());
      if (!claimed) return;
      const outcome = await readFeed(claimed, stopping);
      if (!outcome) return;
      if ("problem" in outcome) log.warn("a price feed was rejected", { feed: claimed.feed, problem: outcome.problem });
      await finishPriceRefresh(db, claimed, outcome, now());
    }
  }

  /** readFeed returns null when this process stops: another process starts again when the lease has expired. */
  async function readFeed({ feed }: ClaimedRefresh, stopping: AbortSignal): Promise<FeedOutcome | null> {
    const regions = await listWantedRegions(db, feed);
    try {
      return { read: await read(feed, { regions }, { signal: stopping, now: now() }) };
    } catch (error) {
      if (stopping.aborted) return null;
      if (error instanceof FeedRefused) return { problem: error.message };
      if (describeOutage(error)) throw error;
      log.error("could not read a price feed", { feed, err: error });
      return { problem: "Internal error in Fairlead; see the controller's log." };
    }
  }

  return repeat("refresh prices", refreshDue, everyMs, log);
}
