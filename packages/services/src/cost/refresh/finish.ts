import { type Db, inTransaction, type Prisma, type Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import {
  type FeedRead,
  type Holding,
  judgeRefresh,
  keyOfPriced,
  type PriceFeedName,
  type PricePoint,
  priceFeeds,
} from "@fairlead/domain/cost";
import { appendFeed } from "../../control/append-feed.sql.ts";
import { findFirstOrganization } from "../../control/authorize-installation.ts";
import { recordDampedEvent } from "../../control/record-damped-event.ts";
import { selectNewestPrices } from "../prices-of.sql.ts";
import type { ClaimedRefresh } from "./claim.sql.ts";
import { selectDecided } from "./decided.sql.ts";
import { lockClaimed, lockHeldRefreshes } from "./lock.sql.ts";
import { replacePrices } from "./replace-prices.sql.ts";

/** The outcome of reading a feed: its prices, or why it failed. */
export type FeedOutcome = { read: FeedRead } | { problem: string };

/**
 * finishPriceRefresh compares a feed with the known prices, applies what may be applied, and holds the rest for review.
 * All of it or nothing; and nothing where another controller has taken over the refresh meanwhile. It returns whether
 * it did.
 */
export async function finishPriceRefresh(
  db: Db,
  claimed: ClaimedRefresh,
  outcome: FeedOutcome,
  now: Date,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const { id, feed } = claimed;
    if (!(await lockClaimed(tx, claimed))) return false;
    const ended = { endedAt: now, leaseUntil: null };
    if ("problem" in outcome) {
      await tx.priceRefresh.update({ where: { id }, data: { ...ended, state: "failed", reason: outcome.problem } });
      await notifyDeciders(tx, claimed, now, "PriceRefreshFailed", `No prices were applied. ${outcome.problem}`);
      return true;
    }
    const { read } = outcome;
    await lockHeldRefreshes(tx, feed);
    const known = await selectNewestPrices(tx);
    const { apply, held, ...counts } = judgeRefresh(read, known, await selectDecided(tx, feed));
    await replacePrices(tx, apply, now);
    const taken = { digest: "", takenAt: now };
    await tx.priceList.upsert({
      where: { name: `feed:${feed}` },
      create: { name: `feed:${feed}`, ...taken },
      update: taken,
    });
    await supersede(tx, feed, now);
    await hold(tx, claimed, read, held);
    await tx.priceRefresh.update({
      where: { id },
      data: { ...ended, ...counts, state: held.length > 0 ? "held" : "applied", asOf: read.asOf, source: read.source },
    });
    const applied = `${counts.appliedCount} ${counts.appliedCount === 1 ? "was" : "were"} applied`;
    const waits = `${held.length} ${held.length === 1 ? "price waits" : "prices wait"} for review`;
    if (held.length > 0) await notifyDeciders(tx, claimed, now, "PricesHeld", `${waits}; ${applied}.`);
    else await notifyDeciders(tx, claimed, now, null, "");
    return true;
  });
}

/** supersede ends what earlier refreshes hold: what still differs is held again. */
async function supersede(tx: Tx, feed: PriceFeedName, now: Date): Promise<void> {
  await tx.heldPrice.updateMany({
    where: { feed, state: "waiting" },
    data: { state: "superseded", decidedAt: now },
  });
  await tx.priceRefresh.updateMany({ where: { feed, state: "held" }, data: { state: "applied" } });
}

async function hold(tx: Tx, { id, feed }: ClaimedRefresh, read: FeedRead, held: readonly Holding[]): Promise<void> {
  await tx.heldPrice.createMany({
    data: held.map(({ item, before, after, reasons }) => ({
      id: newId("heldPrice"),
      refreshId: id,
      feed,
      priceKey: keyOfPriced(item),
      ...item,
      asOf: after[0]?.asOf ?? read.asOf,
      source: after[0]?.source ?? read.source,
      before: toJson(before),
      after: toJson(after),
      reasons: reasons as Prisma.InputJsonValue,
    })),
  });
}

function toJson(points: readonly PricePoint[]): Prisma.InputJsonValue {
  return points as unknown as Prisma.InputJsonValue;
}

/** notifyDeciders notifies those who may decide; without a reason, only open pages. */
async function notifyDeciders(
  tx: Tx,
  { id, feed }: ClaimedRefresh,
  now: Date,
  reason: "PricesHeld" | "PriceRefreshFailed" | null,
  message: string,
): Promise<void> {
  const organizationId = await findFirstOrganization(tx);
  if (organizationId === null) return;
  const subject = { subjectKind: "price-refresh", subjectId: id, clusterId: null } as const;
  if (reason === null) return appendFeed(tx, organizationId, [subject]);
  await recordDampedEvent(tx, organizationId, {
    ...subject,
    at: now,
    reason,
    message,
    subjectName: priceFeeds[feed].title,
  });
}
