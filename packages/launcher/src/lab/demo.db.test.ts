import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import {
  deleteCluster,
  deleteExposure,
  ensureAuthority,
  removeExposure,
  type ServiceContext,
} from "@fairlead/services";
import { enrollAgent } from "@fairlead/services/gateway";
import { createTestCluster, createTestKey, createTestOrganization } from "@fairlead/services/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createDemo, findAddresses, findDemo } from "./demo.ts";
import { enrollLabAgents } from "./demo-agents.ts";
import { optionalServices } from "./demo-services.ts";
import { labName } from "./name.ts";

const members = [
  ...["lab", "lb-1", "lb-1.speaker", "lb-2", "lb-2.speaker"],
  ...["node-1", "node-1.adaptive", "node-1.backend", "node-2", "node-2.adaptive", "node-2.backend"],
  ...["router", "rr-1", "rr-2"],
];

let database: TestDatabase;
let ctx: ServiceContext;
let folder: string;
let file: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  const organization = await createTestOrganization(database.db);
  ctx = { ...organization, actor: { kind: "system", id: "launcher", name: "npm start" } };
  folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-demo-"));
  file = path.join(folder, "demo.json");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the demo", () => {
  it("is created once, under the launcher's name, with the addresses that the lab's clients request", async () => {
    expect(await findDemo(ctx, file, false)).toEqual({ is: "wanted" });
    const clusterId = await createDemo(ctx, file, optionalServices);
    expect(await findDemo(ctx, file, false)).toEqual({ is: "there", clusterId });
    const { organizationId } = ctx;
    const addresses = await ctx.db.virtualAddress.findMany({ where: { organizationId } });
    expect(addresses.map((each) => each.address)).toEqual(["203.0.113.1", "203.0.113.2", "203.0.113.3"]);
    expect(await findAddresses(ctx, clusterId)).toEqual(
      new Map([
        ["web-tls", "203.0.113.2"],
        ["web-adaptive", "203.0.113.3"],
      ]),
    );
    const trail = await ctx.db.auditEntry.findMany({ where: { organizationId }, orderBy: { at: "asc" } });
    expect(trail.map((each) => `${each.actorName}: ${each.action} ${each.subjectName}`)).toEqual([
      "npm start: cluster.create demo",
      "npm start: cluster.update demo",
      "npm start: address-pool.create services",
      "npm start: exposure.create web",
      "npm start: exposure.create web-tls",
      "npm start: exposure.create web-adaptive",
    ]);
  });

  it("is completed by the next start after an interruption", async () => {
    const clusterId = await createDemo(ctx, file, optionalServices);
    const { id } = await ctx.db.exposure.findFirstOrThrow({ where: { clusterId, name: "web" } });
    await removeExposure(ctx.db, id, ctx.now);
    writeFileSync(file, JSON.stringify({ clusterId: null }));
    expect(await findDemo(ctx, file, false)).toEqual({ is: "wanted" });
    expect(await createDemo(ctx, file, optionalServices)).toBe(clusterId);
    expect(await ctx.db.exposure.count({ where: { clusterId } })).toBe(3);
    expect(await ctx.db.addressPool.count({ where: { clusterId } })).toBe(1);
  });

  it("stays deleted when its owner deletes it, the exposure alone or the cluster", async () => {
    const clusterId = await createDemo(ctx, file, optionalServices);
    const remove = async (name: string) => {
      const { id } = await ctx.db.exposure.findFirstOrThrow({ where: { clusterId, name } });
      await deleteExposure(ctx, id);
      await removeExposure(ctx.db, id, ctx.now);
    };
    await remove("web");
    expect(await findDemo(ctx, file, true)).toEqual({ is: "there", clusterId });
    await remove("web-tls");
    expect(await findAddresses(ctx, clusterId)).toEqual(new Map([["web-adaptive", "203.0.113.3"]]));
    const { id } = await ctx.db.exposure.findFirstOrThrow({ where: { clusterId, name: "web-adaptive" } });
    await deleteExposure(ctx, id);
    expect(await findAddresses(ctx, clusterId)).toEqual(new Map());
    await removeExposure(ctx.db, id, ctx.now);
    await deleteCluster(ctx, clusterId);
    expect(await findDemo(ctx, file, true)).toEqual({ is: "deleted" });
  });

  it("has no exposure that the machine can't carry", async () => {
    const clusterId = await createDemo(ctx, file, ["web-adaptive"]);
    const exposures = await ctx.db.exposure.findMany({ where: { clusterId }, orderBy: { createdAt: "asc" } });
    expect(exposures.map((each) => each.name)).toEqual(["web", "web-adaptive"]);
    expect(await findAddresses(ctx, clusterId)).toEqual(new Map([["web-adaptive", "203.0.113.2"]]));
  });

  it("is created in an installation already in use only on request", async () => {
    await createTestCluster(ctx);
    expect(await findDemo(ctx, file, false)).toEqual({ is: "unwanted" });
    expect(await findDemo(ctx, file, true)).toEqual({ is: "wanted" });
  });
});

describe("the demo's agents", () => {
  it("get tokens that only their owner can read, and none once they have an identity", async () => {
    const clusterId = await createDemo(ctx, file, optionalServices);
    const [tokens, identities] = [path.join(folder, "tokens"), path.join(folder, "state")];
    await enrollLabAgents(ctx, clusterId, { tokens, identities });
    expect(readdirSync(tokens)).toEqual(members);
    expect(statSync(tokens).mode & 0o777).toBe(0o700);
    const modes = readdirSync(tokens).map((each) => statSync(path.join(tokens, each)).mode & 0o777);
    expect(modes).toEqual(members.map(() => 0o600));

    const authority = await ensureAuthority(ctx.db, ctx.settings.secret, ctx.now);
    const { certificateRequest } = await createTestKey();
    const token = readFileSync(path.join(tokens, "lb-1"), "utf8").trim();
    const machine = { nodeName: "node-1", hostname: "node-1", version: "1", protocolVersion: 2, roles: ["balancer"] };
    const enrolled = await enrollAgent(ctx.db, authority, { ...machine, token, certificateRequest }, ctx.now);
    const stored = {
      agentId: enrolled.agentId,
      certificate: base64(enrolled.certificate),
      authority: base64(authority.der),
    };
    mkdirSync(path.join(identities, "lb-1"), { recursive: true });
    writeFileSync(path.join(identities, "lb-1", "identity.json"), JSON.stringify(stored));
    await enrollLabAgents(ctx, clusterId, { tokens, identities });
    expect(readdirSync(tokens)).toEqual(members.filter((name) => name !== "lb-1"));
  });
});

function base64(bytes: Buffer): string {
  return bytes.toString("base64");
}

describe("a lab's name", () => {
  it("is unique for the data folder, and valid for a lab", () => {
    expect(labName("/a")).not.toBe(labName("/b"));
    expect(labName("/a")).toMatch(/^[a-z][a-z0-9]{0,19}$/);
  });
});
