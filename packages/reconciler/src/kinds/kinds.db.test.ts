import { listen } from "@fairlead/db";
import { agentChannel, markDirty, updateNode } from "@fairlead/services";
import { createTestNode } from "@fairlead/services/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Stage, setStage } from "../testing/stage.ts";
import { until } from "../testing/until.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.close());

const configOf = (agentId: string) => stage.database.db.nodeConfig.findUniqueOrThrow({ where: { agentId } });

describe("a node's config", () => {
  it("gets a new revision only when its content changes, and then notifies the gateways", async () => {
    const notified: string[] = [];
    const listener = await listen({
      url: stage.database.url,
      channels: [agentChannel],
      onNotification: (_channel, payload) => notified.push(payload),
      onConnected() {},
    });
    const { nodeId, agentId } = await createTestNode(stage.ctx, stage.clusterId);
    await stage.loop();
    await markDirty(stage.database.db, "node", nodeId);
    await stage.converged();
    expect(await configOf(agentId)).toMatchObject({
      revision: 2,
      config: { reportIntervalMs: 5000, node: { sampleIntervalMs: 5000, excludedInterfaces: ["lo", "veth*"] } },
    });
    await markDirty(stage.database.db, "node", nodeId);
    await stage.converged();
    expect((await configOf(agentId)).revision).toBe(2);
    await updateNode(stage.ctx, nodeId, { settings: { reportIntervalMs: 10_000 } });
    await until("the change is compiled", async () => (await configOf(agentId)).revision === 3);
    await until("both changes are notified", () => notified.length === 2);
    await listener.stop();
    expect(notified).toEqual([agentId, agentId]);
  });

  it("is not compiled for an agent that was revoked", async () => {
    const { nodeId, agentId } = await createTestNode(stage.ctx, stage.clusterId, { revokedAt: new Date() });
    await stage.loop();
    await markDirty(stage.database.db, "node", nodeId);
    await stage.converged();
    expect((await configOf(agentId)).revision).toBe(1);
  });

  it("is deleted with its node", async () => {
    await stage.loop();
    await markDirty(stage.database.db, "node", "node_gone");
    await until("the task is gone", async () => (await stage.database.db.reconcileTask.count()) === 0);
  });
});

describe("a marked cluster", () => {
  it("passes the mark on to everything in it, and is done", async () => {
    const exposures = [await stage.expose(), await stage.expose()];
    const { nodeId } = await createTestNode(stage.ctx, stage.clusterId);
    await markDirty(stage.database.db, "node", nodeId);
    await stage.loop();
    await stage.converged();
    const requests = async () => {
      const tasks = await stage.database.db.reconcileTask.findMany({
        where: { objectId: { in: [...exposures, nodeId] } },
      });
      return tasks.map((each) => Number(each.requests));
    };
    expect(await requests()).toEqual([1, 1, 1]);
    await markDirty(stage.database.db, "cluster", stage.clusterId);
    await stage.converged();
    expect(await requests()).toEqual([2, 2, 2]);
    expect(await stage.database.db.reconcileTask.count({ where: { kind: "cluster" } })).toBe(0);
  });
});
