import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ServiceContext } from "../../context.ts";
import { createTestOrganization, settleRefusals } from "../../testing/index.ts";
import { acceptInvitationAsNewUser } from "../invitation/accept-signed-out.ts";
import { createInvitation } from "../invitation/create.ts";
import { matchesPassword } from "../password-user.ts";
import { sweepAccess } from "../sweep.sql.ts";
import { changePassword } from "./change-password.ts";

let database: TestDatabase;
let ctx: ServiceContext & { userId: string };
const old = "the old password";

beforeAll(async () => {
  database = await createTestDatabase();
  const organization = await createTestOrganization(database.db);
  const { path } = await createInvitation(organization, { email: "bob@example.com", role: "viewer" });
  const token = path.replace("/invitations/", "");
  await acceptInvitationAsNewUser(database.db, { token, name: "Bob", password: old }, organization.now);
  const { id: userId, name } = await database.db.user.findFirstOrThrow();
  for (const id of ["here", "elsewhere"]) await startSession(id, userId, 3_600_000);
  ctx = { ...organization, userId, actor: { kind: "user", id: userId, name, role: "viewer", sessionId: "here" } };
});
afterAll(() => database.drop());

function startSession(id: string, userId: string, lastsMs: number) {
  const expiresAt = new Date(Date.now() + lastsMs);
  return database.db.session.create({ data: { id, token: id, userId, expiresAt } });
}

it("changes nothing without the current password, and limits guesses", async () => {
  for (let at = 0; at < 10; at++)
    await expect(changePassword(ctx, { currentPassword: "a guess", newPassword: "new one" })).rejects.toMatchObject({
      code: "invalid",
      fields: [{ path: ["currentPassword"] }],
    });
  await expect(changePassword(ctx, { currentPassword: old, newPassword: "new one" })).rejects.toMatchObject({
    code: "rate-limited",
  });
  expect(await matchesPassword(database.db, ctx.userId, old)).toBe(true);
  await settleRefusals();
  const entries = await database.db.auditEntry.findMany({
    where: { action: "session.refuse" },
  });
  const common = { actorKind: "user", actorId: ctx.userId, subjectKind: "member", subjectName: "Bob" };
  const reasonOf = ({ after }: (typeof entries)[number]) => (after as { reason: string }).reason;
  expect(entries.toSorted((a, b) => reasonOf(a).localeCompare(reasonOf(b)))).toMatchObject([
    { ...common, after: { reason: "incorrect-password", method: "password change", count: 10 } },
    { ...common, after: { reason: "too-many-attempts", method: "password change", count: 1 } },
  ]);
  await database.db.allowance.deleteMany();
});

it("ends every other session, keeps this one, and is audited without a hash", async () => {
  await changePassword(ctx, { currentPassword: old, newPassword: "the new password" });
  expect(await matchesPassword(database.db, ctx.userId, old)).toBe(false);
  expect(await matchesPassword(database.db, ctx.userId, "the new password")).toBe(true);
  expect((await database.db.session.findMany()).map(({ id }) => id)).toEqual(["here"]);
  const entry = await database.db.auditEntry.findFirstOrThrow({ where: { action: "member.change-password" } });
  expect(entry).toMatchObject({ actorId: ctx.userId, subjectName: "Bob", before: null, after: null });
});

it("sweeps expired rows and nothing else", async () => {
  await database.db.allowance.deleteMany();
  await startSession("expired", ctx.userId, -1);
  await database.db.allowance.create({ data: { name: "past", spentUntil: new Date(Date.now() - 1) } });
  expect(await sweepAccess(database.db, new Date())).toBe(2);
  expect((await database.db.session.findMany()).map(({ id }) => id)).toEqual(["here"]);
});
