import type { Db } from "@fairlead/db";
import type { PriceFeedName } from "@fairlead/domain";
import { type FeedReader, FeedRefused } from "@fairlead/drivers/prices";
import {
  type ClaimedRefresh,
  claimPriceRefresh,
  describeWeather,
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
  /** Which feeds are read every day, without anybody asking. */
  scheduled: readonly PriceFeedName[];
  now?: () => Date;
  /** How often to look whether somebody asked. */
  everyMs?: number;
};

/** startPriceRefreshes reads feeds that somebody asked for, or that are due. Any number of controllers may do so. */
export function startPriceRefreshes(options: PriceRefreshesOptions): Repeated {
  const { db, log, read, scheduled, now = () => new Date(), everyMs = 2_000 } = options;

  async function refreshWhatIsDue(stopping: AbortSignal): Promise<void> {
    await schedulePriceRefreshes(db, scheduled, now());
    for (;;) {
      const claimed = stopping.aborted ? null : await claimPriceRefresh(db, now());
      if (!claimed) return;
      const outcome = await readFeed(claimed, stopping);
      if (!outcome) return;
      if ("problem" in outcome)
        log.warn("took nothing from a price feed", { feed: claimed.feed, problem: outcome.problem });
      await finishPriceRefresh(db, claimed, outcome, now());
    }
  }

  /** readFeed answers null when this process stops: another one, or the next, begins anew when the lease has run out. */
  async function readFeed({ feed }: ClaimedRefresh, stopping: AbortSignal): Promise<FeedOutcome | null> {
    const regions = await listWantedRegions(db, feed);
    try {
      return { read: await read(feed, { regions }, { signal: stopping, now: now() }) };
    } catch (error) {
      if (stopping.aborted) return null;
      if (error instanceof FeedRefused) return { problem: error.message };
      if (describeWeather(error)) throw error;
      log.error("could not read a price feed", { feed, err: error });
      return { problem: "Something went wrong in Fairlead; the controller's log says what." };
    }
  }

  return repeat("refresh prices", refreshWhatIsDue, everyMs, log);
}
