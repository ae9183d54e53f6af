import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ServiceContext } from "../../context.ts";
import { createTestOrganization, createTestUser } from "../../testing/index.ts";
import { removeMember } from "../member/remove.ts";
import { endSessions } from "./end-sessions.ts";

let database: TestDatabase;
let ctx: ServiceContext;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = { ...(await createTestOrganization(database.db)), clientAddress: "192.0.2.1" };
});

const endsOf = ({ organizationId }: ServiceContext) =>
  database.db.auditEntry.findMany({ where: { organizationId, action: "session.end" } });

async function alsoMemberOf(place: ServiceContext, userId: string): Promise<string> {
  const id = `mem_${userId.slice(4)}`;
  await database.db.member.create({ data: { id, organizationId: place.organizationId, userId, role: "viewer" } });
  return id;
}

describe("sessions that are ended", () => {
  it("are one audit entry per user, and expired ones don't count", async () => {
    const bob = await createTestUser(ctx, "viewer", "Bob");
    const common = { userId: bob.userId, activeOrganizationId: ctx.organizationId };
    for (const [id, lastsMs] of [
      ["more", 60_000],
      ["expired", -60_000],
    ] as const)
      await database.db.session.create({
        data: {
          ...common,
          id: `${id}-${bob.userId}`,
          token: `${id}-${bob.userId}`,
          expiresAt: new Date(Date.now() + lastsMs),
        },
      });
    await endSessions(database.db, bob, { userId: bob.userId }, "password-change");
    expect(await database.db.session.count({ where: { userId: bob.userId } })).toBe(0);
    expect(await endsOf(ctx)).toMatchObject([
      {
        actorId: bob.userId,
        subjectKind: "member",
        subjectId: bob.memberId,
        subjectName: "Bob",
        before: null,
        after: { reason: "password-change", count: 2, address: "192.0.2.1" },
      },
    ]);
  });

  it("don't reveal to another organisation who ended them, or why", async () => {
    await createTestUser(ctx, "owner");
    const bob = await createTestUser(ctx, "viewer", "Bob");
    const other = await createTestOrganization(database.db);
    const elsewhere = await alsoMemberOf(other, bob.userId);
    await removeMember(ctx, bob.memberId);
    expect(await endsOf(ctx)).toMatchObject([
      { actorId: ctx.actor.id, subjectId: bob.memberId, after: { reason: "member-removal", address: "192.0.2.1" } },
    ]);
    expect(await endsOf(other)).toMatchObject([
      {
        actorKind: "system",
        actorName: "Fairlead",
        subjectId: elsewhere,
        after: { reason: "other-organization", address: null, count: 1 },
      },
    ]);
  });

  it("that are bound to an organisation are in its audit only", async () => {
    const bob = await createTestUser(ctx, "viewer", "Bob");
    const other = await createTestOrganization(database.db);
    await alsoMemberOf(other, bob.userId);
    const bound = { boundOrganizationId: ctx.organizationId };
    await database.db.session.updateMany({ where: { userId: bob.userId }, data: bound });
    await endSessions(database.db, bob, { userId: bob.userId }, "password-change");
    expect([(await endsOf(ctx)).length, (await endsOf(other)).length]).toEqual([1, 0]);
  });
});
