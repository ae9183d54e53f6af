import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { ensureAuthority, type ServiceContext } from "@fairlead/services";
import { readCertificateRequest, signAgentCertificate } from "@fairlead/services/gateway";
import { createTestCluster, createTestKey, createTestNode, createTestOrganization } from "@fairlead/services/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findStanding, setAside } from "./local-agent.ts";

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

/** enroll writes an identity as the agent does. */
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

const standing = async () =>
  findStanding(database.db, state, (await ensureAuthority(database.db, secret, new Date())).der, new Date());

describe("the local agent", () => {
  it("goes on while its identity is good", async () => {
    await enroll();
    expect(await standing()).toBe("good");
  });

  it("is nobody before it has an identity", async () => {
    expect(await standing()).toBe("nobody");
  });

  it("is nobody when its certificate ran out while the machine was off", async () => {
    await enroll(new Date(Date.now() - 31 * day));
    expect(await standing()).toBe("nobody");
  });

  it("is nobody when the data folder meets another database, whose authority is another", async () => {
    const other = await createTestDatabase();
    await enroll(new Date(), other);
    await other.drop();
    expect(await standing()).toBe("nobody");
  });

  it("is nobody when its identity can't be read", async () => {
    writeFileSync(path.join(state, "identity.json"), "{");
    expect(await standing()).toBe("nobody");
  });

  it("is gone when its node was deleted", async () => {
    const agentId = await enroll();
    await database.db.agent.delete({ where: { id: agentId } });
    expect(await standing()).toBe("deleted");
  });

  it("is gone when it was revoked, also when its certificate has run out since", async () => {
    const agentId = await enroll(new Date(Date.now() - 31 * day));
    await database.db.agent.update({ where: { id: agentId }, data: { revokedAt: new Date() } });
    expect(await standing()).toBe("revoked");
  });

  it("takes a new token only when what it was is out of its way", async () => {
    await enroll();
    setAside(state);
    expect(await standing()).toBe("nobody");
    expect(existsSync(path.join(state, "identity.json.former"))).toBe(true);
    setAside(state);
  });
});
