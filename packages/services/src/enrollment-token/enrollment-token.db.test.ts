import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import { afterAll, beforeAll, expect, it } from "vitest";
import { authorityFingerprint, ensureAuthority } from "../authority/index.ts";
import { parseEnrollmentToken, secretMatches } from "../gateway/enroll/enrollment-token.ts";
import { createTestCluster, createTestNode, createTestOrganization } from "../testing/index.ts";
import { createEnrollmentToken, listEnrollmentTokens } from "./index.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newest = { sort: "createdAt", direction: "desc", limit: 10 } as const;

it("waits for the certificate authority, then names it in the token", async () => {
  const ctx = await createTestOrganization(database.db);
  const { cluster } = await createTestCluster(ctx);
  const input = { clusterId: cluster.id, nodeName: "edge-1", expiresInMinutes: 30 };
  await expect(createEnrollmentToken(ctx, input)).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 5 });
  await ensureAuthority(database.db, ctx.settings.secret, ctx.now);

  const { token, command, installCommand, ...rest } = await createEnrollmentToken(ctx, input);
  const read = parseEnrollmentToken(token);
  expect(read).toMatchObject({ id: rest.id, authority: await authorityFingerprint(database.db) });
  expect(command).toBe(
    `FAIRLEAD_TOKEN=${token} fairlead-agent node --control-plane https://127.0.0.1:7443 --node-name edge-1`,
  );
  expect(installCommand).toBe(
    `curl -fsSL http://127.0.0.1:3000/download/agent/install.sh | FAIRLEAD_TOKEN=${token} sh -s -- node --node-name edge-1`,
  );
  expect(rest.expiresAt).toEqual(new Date(ctx.now.getTime() + 30 * 60_000));

  const stored = await database.db.enrollmentToken.findUniqueOrThrow({
    where: { id: rest.id },
    omit: { secretHash: false },
  });
  expect(secretMatches(read?.secret ?? "", stored.secretHash)).toBe(true);
  expect(await listEnrollmentTokens(ctx, newest)).toEqual({ items: [rest], total: 1, nextCursor: null });
  const audited = JSON.stringify(await database.db.auditEntry.findMany({ where: { subjectId: rest.id } }));
  expect(audited).not.toContain(read?.secret);
  expect(audited).not.toContain(stored.secretHash);
});

it.each([
  [["balancer"], "balancer"],
  [["speaker", "balancer"], "speaker"],
  [["router"], "router"],
  [["node", "reflector"], "node"],
] as const)("has a command that the roles %j allow", async (roles, role) => {
  const ctx = await createTestOrganization(database.db);
  const { cluster } = await createTestCluster(ctx);
  await ensureAuthority(database.db, ctx.settings.secret, ctx.now);
  const input = { clusterId: cluster.id, roles: [...roles], expiresInMinutes: 30 };
  const { token, command, installCommand } = await createEnrollmentToken(ctx, input);
  expect(command).toBe(`FAIRLEAD_TOKEN=${token} fairlead-agent ${role} --control-plane https://127.0.0.1:7443`);
  expect(installCommand).toMatch(new RegExp(` sh -s -- ${role}$`));
});

it("names the node that joined with it, also when that node was known before", async () => {
  const ctx = await createTestOrganization(database.db);
  const { cluster } = await createTestCluster(ctx);
  await ensureAuthority(database.db, ctx.settings.secret, ctx.now);
  const longAgo = await createTestNode(ctx, cluster.id, { name: "known-before" });
  await createTestNode(ctx, cluster.id, { name: "came-at-the-same-moment" });
  const { id } = await createEnrollmentToken(ctx, { clusterId: cluster.id, expiresInMinutes: 30 });
  const shown = async () => (await listEnrollmentTokens(ctx, newest)).items.find((each) => each.id === id);
  expect(await shown()).toMatchObject({ agentId: null, nodeId: null });
  const { agentId, nodeId } = longAgo;
  await database.db.enrollmentToken.update({ where: { id }, data: { usedAt: ctx.now, agentId } });
  expect(await shown()).toMatchObject({ agentId, nodeId });
  await database.db.node.delete({ where: { id: nodeId } });
  expect(await shown()).toMatchObject({ agentId, nodeId: null });
});

it("is only for clusters of its own organisation", async () => {
  const ctx = await createTestOrganization(database.db);
  const { cluster } = await createTestCluster(await createTestOrganization(database.db));
  for (const clusterId of [cluster.id, newId("cluster")])
    await expect(createEnrollmentToken(ctx, { clusterId, expiresInMinutes: 30 })).rejects.toMatchObject({
      code: "not-found",
      fields: [{ path: ["clusterId"] }],
    });
});
