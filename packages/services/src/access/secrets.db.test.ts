import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { createApiKey as keyInput } from "@fairlead/domain/access";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestOrganization } from "../testing/index.ts";
import {
  authenticateApiKey,
  createApiKey,
  createInvitation,
  ensureFirstOwner,
  listApiKeys,
  listInvitations,
  listMembers,
  revokeApiKey,
} from "./index.ts";
import { acceptInvitationAsNewUser } from "./invitation/accept-signed-out.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Every row of every table, as text. */
async function dump(): Promise<Map<string, string>> {
  const tables = await database.db.$queryRaw<{ name: string }[]>`
    SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'v') AND relnamespace = 'public'::regnamespace`;
  const texts = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await database.db.$queryRawUnsafe<{ row: string }[]>(
      `SELECT to_jsonb(t)::text AS row FROM "${name}" t`,
    );
    texts.set(name, rows.map(({ row }) => row).join("\n"));
  }
  return texts;
}

it("keeps no password, key or invitation in a usable form, and hashes only where they are compared", async () => {
  const { db } = database;
  const password = "correct horse battery staple";
  await ensureFirstOwner({ db, name: "Ada", email: "ada@example.com", password });
  const ctx = await createTestOrganization(db);
  const { key, id } = await createApiKey(ctx, keyInput.parse({ name: "ci", role: "viewer", scopes: ["cluster:read"] }));
  await authenticateApiKey(db, key, ctx.now);
  const { path } = await createInvitation(ctx, { email: "bob@example.com", role: "viewer" });
  const token = path.split("/").at(-1) ?? "";
  await acceptInvitationAsNewUser(db, { token, name: "Bob", password }, ctx.now);
  await revokeApiKey(ctx, id);

  const texts = await dump();
  for (const secret of [password, key, key.slice(8), token])
    for (const [table, text] of texts) expect(text.includes(secret), `${secret} in ${table}`).toBe(false);

  const newest = { limit: 50, sort: "createdAt", direction: "desc" } as const;
  const answers = JSON.stringify([
    await listApiKeys(ctx, newest),
    await listInvitations(ctx, newest),
    await listMembers(ctx, newest),
    await db.auditEntry.findMany(),
  ]);
  for (const secret of [password, key, key.slice(8), token]) expect(answers).not.toContain(secret);

  const hashes = [
    ...(await db.apiKey.findMany({ select: { keyHash: true } })).map((row) => row.keyHash),
    ...(await db.invitation.findMany({ select: { tokenHash: true } })).map((row) => row.tokenHash),
    ...(await db.account.findMany({ select: { password: true } })).map((row) => row.password ?? ""),
  ];
  expect(hashes).toHaveLength(4);
  for (const hash of hashes) {
    expect(answers).not.toContain(hash);
    const holders = [...texts].filter(([, text]) => text.includes(hash)).map(([table]) => table);
    expect(holders).toEqual([expect.stringMatching(/^(api_key|invitation|account)$/)]);
  }
});

it("leaves secret columns out of rows unless a query names them", async () => {
  const { db } = database;
  const rows = [await db.account.findFirst(), await db.apiKey.findFirst(), await db.invitation.findFirst()];
  for (const row of rows) {
    expect(row).not.toBeNull();
    for (const column of ["password", "keyHash", "tokenHash", "accessToken", "idToken"])
      expect(row).not.toHaveProperty(column);
  }
});
