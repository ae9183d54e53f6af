import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { batchSize } from "../control/in-batches.ts";
import { feedRetentionMs, sweepFeed } from "../event/feed/index.ts";
import { createTestCluster, createTestOrganization } from "../testing/index.ts";
import { recordRetentionMs, sweepRecords } from "./index.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it("deletes expired records of every organisation, and no others", async () => {
  const { db } = database;
  const now = new Date();
  for (const ctx of [await createTestOrganization(db), await createTestOrganization(db)]) {
    const { organizationId } = ctx;
    const { cluster } = await createTestCluster(ctx);
    await db.auditEntry.deleteMany({ where: { organizationId } });
    const subject = { subjectKind: "cluster", subjectId: cluster.id, subjectName: cluster.name };
    for (const [name, justOver] of [
      ["old", 1],
      ["young", -60_000],
    ] as const) {
      const before = (retentionMs: number) => new Date(now.getTime() - retentionMs - justOver);
      const id = `${organizationId}-${name}`;
      const at = before(recordRetentionMs.event);
      await db.event.create({
        data: { id, organizationId, at, severity: "info", reason: name, message: "", ...subject },
      });
      await db.auditEntry.create({
        data: {
          id,
          organizationId,
          at: before(recordRetentionMs.auditEntry),
          actorKind: "user",
          actorId: "u",
          actorName: "U",
          action: name,
          ...subject,
        },
      });
      const expiresAt = before(recordRetentionMs.enrollmentToken);
      await db.enrollmentToken.create({
        data: { id, organizationId, clusterId: cluster.id, secretHash: "", nodeName: name, createdBy: "U", expiresAt },
      });
      const invited = {
        role: "viewer",
        tokenHash: id,
        createdBy: "u",
        expiresAt: before(recordRetentionMs.invitation),
      };
      await db.invitation.create({ data: { ...invited, id, organizationId, email: `${name}@example.com` } });
    }
  }
  expect(await sweepRecords(db, now)).toBe(8);
  expect(await sweepRecords(db, now)).toBe(0);
  expect((await db.event.findMany()).map((each) => each.reason)).toEqual(["young", "young"]);
  expect((await db.auditEntry.findMany()).map((each) => each.action)).toEqual(["young", "young"]);
  expect((await db.enrollmentToken.findMany()).map((each) => each.nodeName)).toEqual(["young", "young"]);
  const [one, two] = (await db.invitation.findMany()).map((each) => each.email);
  expect([one, two]).toEqual(["young@example.com", "young@example.com"]);
});

it("deletes all old records, however many there are", async () => {
  const { db } = database;
  const now = new Date();
  const count = 2 * batchSize + 1;
  const old = new Date(now.getTime() - recordRetentionMs.event - 1);
  await db.$executeRaw`
    INSERT INTO feed_entry (organization_id, subject_kind, subject_id, at)
    SELECT 'org_1', 'cluster', n::text, ${new Date(now.getTime() - 2 * feedRetentionMs - 1)} FROM generate_series(1, ${count}::int) AS n`;
  await db.$executeRaw`
    INSERT INTO event (id, organization_id, at, severity, reason, message, subject_kind, subject_id, subject_name)
    SELECT 'evt_' || n, 'org_1', ${old}, 'info', 'Old', '', 'cluster', n::text, 'c' FROM generate_series(1, ${count}::int) AS n`;
  expect(await sweepFeed(db, now)).toBe(count);
  expect(await sweepRecords(db, now)).toBe(count);
});
