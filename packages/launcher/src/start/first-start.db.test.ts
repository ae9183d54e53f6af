import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { DomainError } from "@fairlead/domain";
import { deleteCluster, ensureAuthority, revokeAgent, type ServiceContext } from "@fairlead/services";
import { enrollAgent } from "@fairlead/services/gateway";
import { createTestKey } from "@fairlead/services/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSettings, root } from "../settings.ts";
import { launcherContext, prepareFleet } from "./first-start.ts";
import type { LaunchConfig } from "./programs.ts";

const secret = "a-secret-of-thirty-two-characters!";

let database: TestDatabase;
let dataFolder: string;
beforeEach(async () => {
  database = await createTestDatabase();
  dataFolder = mkdtempSync(path.join(os.tmpdir(), "fairlead-first-start-"));
});
afterEach(async () => {
  await database.drop();
  rmSync(dataFolder, { recursive: true });
});

function config(): LaunchConfig {
  return {
    root,
    logs: path.join(dataFolder, "logs"),
    url: "http://127.0.0.1:3000",
    host: "127.0.0.1",
    port: 3000,
    gatewayPort: 7443,
    gatewayUrl: "https://127.0.0.1:7443",
    ownGatewayUrl: "https://127.0.0.1:7443",
    metricsPort: 7444,
    webBuild: ".next",
    databaseUrl: database.url,
    secret,
    agentState: path.join(dataFolder, "agent"),
  };
}

const settings = () =>
  readSettings({
    FAIRLEAD_DATA: dataFolder,
    FAIRLEAD_ADMIN_EMAIL: "ada@example.com",
    FAIRLEAD_ADMIN_PASSWORD: "correct-Horse-7",
  });

const start = (withAgent: boolean) => prepareFleet(config(), settings(), withAgent);

/** join starts and enrols like the agent. */
async function join(): Promise<string> {
  const { agentToken } = await start(true);
  const authority = await ensureAuthority(database.db, secret, new Date());
  const { certificateRequest } = await createTestKey();
  const machine = { nodeName: "machine", hostname: "machine", version: "1", protocolVersion: 2, roles: ["node"] };
  const joined = await enrollAgent(
    database.db,
    authority,
    { ...machine, token: agentToken ?? "", certificateRequest },
    new Date(),
  );
  const [certificate, ca] = [joined.certificate, joined.authority].map((der) => der.toString("base64"));
  const { agentState } = config();
  mkdirSync(agentState, { recursive: true });
  const identity = { agentId: joined.agentId, certificate, authority: ca };
  writeFileSync(path.join(agentState, "identity.json"), JSON.stringify(identity));
  return joined.agentId;
}

async function context(): Promise<ServiceContext> {
  const ctx = await launcherContext(database.db, config());
  if (!ctx) throw new Error("the start created no organisation");
  return ctx;
}

async function getNodeOf(ctx: ServiceContext, agentId: string): Promise<{ clusterId: string }> {
  return ctx.db.node.findFirstOrThrow({ where: { agents: { some: { id: agentId } } }, select: { clusterId: true } });
}

describe("a start", () => {
  it.each([true, false])("rejects a secret that the database was not set up with (agent: %s)", async (withAgent) => {
    await ensureAuthority(database.db, "the-secret-of-another-data-folder!", new Date());
    const refused = start(withAgent);
    await expect(refused).rejects.toBeInstanceOf(DomainError);
    await expect(refused).rejects.toThrow("start with the secret that this database was set up with");
    expect(await database.db.user.count()).toBe(0);
  });

  it("enrols this machine's agent, which keeps its identity", async () => {
    const agentId = await join();
    expect(await start(true)).toMatchObject({ agentToken: null, noAgent: null });
    expect(await database.db.agent.findMany({ select: { id: true } })).toEqual([{ id: agentId }]);
  });

  it.each<[string, string, (ctx: ServiceContext, agentId: string) => Promise<unknown>]>([
    ["its agent was revoked", "local", (ctx, agentId) => revokeAgent(ctx, agentId)],
    [
      "its node was deleted",
      "",
      async (ctx, agentId) => {
        const { clusterId } = await getNodeOf(ctx, agentId);
        await deleteCluster(ctx, clusterId);
      },
    ],
  ])("starts no agent after its owner removed it, and prints how to restore it: %s", async (what, clusters, end) => {
    const agentId = await join();
    await end(await context(), agentId);
    for (let again = 0; again < 2; again++) {
      const { agentToken, noAgent } = await start(true);
      expect(agentToken).toBeNull();
      expect(noAgent).toContain(`No agent runs on this machine: ${what}`);
    }
    expect((await database.db.cluster.findMany()).map((each) => each.name).join()).toBe(clusters);

    const file = path.join(config().agentState, "identity.json");
    expect((await start(true)).noAgent).toContain(`remove ${file} and start again`);
    rmSync(file);
    expect((await start(true)).agentToken).toMatch(/^fl1_/);
  });
});
