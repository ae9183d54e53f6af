import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordRetentionMs, sweepRecords } from "../../retention/index.ts";
import { selectDecided } from "./decided.sql.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const now = new Date("2026-11-25T12:00:00Z");
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
const old = recordRetentionMs.priceRefresh / 86_400_000 + 1;

it("deletes old reads of prices, but no decision that still counts", async () => {
  const { db } = database;
  const refresh = (id: string, days: number, state: string, feed = "aws") =>
    db.priceRefresh.create({
      data: { id, feed, state, isScheduled: true, requestedBy: "the schedule", requestedAt: daysAgo(days) },
    });
  const hold = (id: string, refreshId: string, key: string, state: string, decidedDays?: number) =>
    db.heldPrice.create({
      data: {
        ...{ id, refreshId, state, feed: "aws", priceKey: key, provider: "aws", region: "eu-central-1", sku: key },
        ...{ unit: "hour", currency: "USD", asOf: "2026-01-01", source: "t", before: [], after: [], reasons: [] },
        ...(decidedDays === undefined ? {} : { decidedBy: "U", decidedAt: daysAgo(decidedDays) }),
      },
    });
  await refresh("old-decided", old + 9, "applied");
  await hold("decided-first", "old-decided", "nlb", "accepted", old + 8);
  await hold("decided-only", "old-decided", "alb", "rejected", old + 8);
  await refresh("old-superseded", old + 7, "applied");
  await hold("superseded", "old-superseded", "nlb", "superseded");
  await refresh("old-again", old + 6, "applied");
  await hold("decided-again", "old-again", "nlb", "rejected", old + 5);
  await refresh("old-plain", old + 4, "applied");
  await refresh("old-failed", old + 3, "failed");
  await refresh("old-waiting", old + 2, "held");
  await hold("waiting", "old-waiting", "nlb", "waiting");
  await refresh("old-applied-last", old + 1, "applied");
  await refresh("young-failed", 1, "failed");
  await refresh("only-of-its-feed", old, "failed", "gcp");
  const decided = await selectDecided(db, "aws");

  expect(await sweepRecords(db, now)).toBe(5);
  expect(await sweepRecords(db, now)).toBe(0);
  const left = await db.heldPrice.findMany({ orderBy: { id: "asc" } });
  expect(left.map(({ id }) => id)).toEqual(["decided-again", "decided-only", "waiting"]);
  const refreshes = await db.priceRefresh.findMany({ orderBy: { requestedAt: "asc" } });
  expect(refreshes.map(({ id }) => id)).toEqual([
    ...["old-decided", "old-again", "old-waiting", "old-applied-last", "only-of-its-feed", "young-failed"],
  ]);
  expect(await selectDecided(db, "aws")).toEqual(decided);
});
