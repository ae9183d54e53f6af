import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { ensureAuthority, type ServiceContext } from "@fairlead/services";
import { readCertificateRequest, signAgentCertificate } from "@fairlead/services/gateway";
import { createTestCluster, createTestKey, createTestNode, createTestOrganization } from "@fairlead/services/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkIdentity, moveAway } from "./local-agent.ts";

const secret = "a-secret-of-thirty-two-characters!";
const day = 24 * 3_600_000;

let database: TestDatabase;
let ctx: ServiceContext;
let clusterId: string;
let state: string;

beforeAll(async () => {
  database = await createTestDatabase();
  ctx = await createTestOrganization(database.db);
  clusterId = (await createTestCluster(ctx)).cluster.id;
});
afterAll(() => database.drop());
beforeEach(() => {
  state = mkdtempSync(path.join(os.tmpdir(), "fairlead-agent-state-"));
  return () => rmSync(state, { recursive: true });
});

let made = 0;

/** enroll writes an identity like the agent. */
async function enroll(issuedAt = new Date(), of = database): Promise<string> {
  const { agentId } = await createTestNode(ctx, clusterId, { name: `machine-${made++}` });
  const authority = await ensureAuthority(of.db, secret, new Date());
  const { certificateRequest } = await createTestKey();
  const key = await readCertificateRequest(certificateRequest);
  const { der } = await signAgentCertificate(authority, key, agentId, issuedAt);
  const stored = { agentId, certificate: der.toString("base64"), authority: authority.der.toString("base64") };
  writeFileSync(path.join(state, "identity.json"), JSON.stringify(stored));
  return agentId;
}

const identity = async () =>
  checkIdentity(database.db, state, (await ensureAuthority(database.db, secret, new Date())).der, new Date());

describe("the local agent", () => {
  it("continues while its identity is valid", async () => {
    await enroll();
    expect(await identity()).toBe("valid");
  });

  it("is missing before it has an identity", async () => {
    expect(await identity()).toBe("missing");
  });

  it("is missing when its certificate expired while the machine was off", async () => {
    await enroll(new Date(Date.now() - 31 * day));
    expect(await identity()).toBe("missing");
  });

  it("is missing when the database, and so the authority, is a different one", async () => {
    const other = await createTestDatabase();
    await enroll(new Date(), other);
    await other.drop();
    expect(await identity()).toBe("missing");
  });

  it("is missing when its identity can't be read", async () => {
    writeFileSync(path.join(state, "identity.json"), "{");
    expect(await identity()).toBe("missing");
  });

  it("is deleted when its node was deleted", async () => {
    const agentId = await enroll();
    await database.db.agent.delete({ where: { id: agentId } });
    expect(await identity()).toBe("deleted");
  });

  it("is revoked when it was revoked, also after its certificate expired", async () => {
    const agentId = await enroll(new Date(Date.now() - 31 * day));
    await database.db.agent.update({ where: { id: agentId }, data: { revokedAt: new Date() } });
    expect(await identity()).toBe("revoked");
  });

  it("uses a new token only after its old identity was moved away", async () => {
    await enroll();
    moveAway(state);
    expect(await identity()).toBe("missing");
    expect(existsSync(path.join(state, "identity.json.former"))).toBe(true);
    moveAway(state);
  });
});
