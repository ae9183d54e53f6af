import { deleteOrphanedSeries } from "@fairlead/services/gateway";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { patience } from "../testing/balancer-stage.ts";
import { type GatewayStage, setGatewayStage } from "../testing/gateway-stage.ts";
import { cpuPoint, type TestAgent } from "../testing/test-agent.ts";

let stage: GatewayStage;
let agent: TestAgent;
beforeAll(async () => {
  stage = await setGatewayStage();
});
afterAll(() => stage.close());
beforeEach(async () => {
  agent = await stage.enroll();
  await agent.report({ series: [cpuPoint(0.1)] });
  expect(await stage.pointsOf(agent)).toEqual([0.1]);
});

/** isStored reports a point, and expects it in a series that exists. */
const isStored = async () => {
  const value = Math.random();
  await agent.report({ series: [cpuPoint(value)] });
  expect(await stage.pointsOf(agent)).toContain(value);
};

describe("points of a series that was deleted", () => {
  it("are stored in a new one, after a notification", async () => {
    const { db } = stage.database;
    const where = { subjectId: agent.nodeId };
    await db.series.updateMany({ where, data: { endedAt: new Date("2020-01-01") } });
    expect(await deleteOrphanedSeries(db, new Date())).toBe(1);
    await vi.waitFor(isStored, patience);
  });

  it("are stored in a new one, after the connection for notifications was lost", async () => {
    const { db } = stage.database;
    await db.$executeRaw`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'fairlead-series-listen' AND datname = current_database()`;
    await db.series.deleteMany({ where: { subjectId: agent.nodeId } });
    await vi.waitFor(isStored, patience);
  });
});
