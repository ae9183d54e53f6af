import { startExperiment as startExperimentInput } from "@fairlead/domain/experiment";
import { getExperiment, startExperiment, stopExperiment } from "@fairlead/services";
import { createTestRouting } from "@fairlead/services/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { killedAt } from "../testing/killed-at.ts";
import { type Stage, setStage } from "../testing/stage.ts";
import { until } from "../testing/until.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.close());

it("continues after its controller was killed, and removes and restores speakers through their configs", async () => {
  const { db } = stage.database;
  const { speakers } = await createTestRouting(stage.ctx, stage.clusterId, 3);
  // No agent runs here that would send more reports.
  await db.nodeStatus.updateMany({ data: { lastReportAt: new Date(Date.now() + 600_000) } });
  const spec = { clusterId: stage.clusterId, changeEverySeconds: 2, durationSeconds: 600 };
  const { id } = await startExperiment({ ...stage.ctx, now: new Date() }, startExperimentInput.parse(spec));
  await killedAt(stage, "looked", id);
  await stage.loop();
  const leaving = async () => {
    const rows = await db.nodeConfig.findMany({ where: { agentId: { in: speakers.map((each) => each.agentId) } } });
    return rows
      .filter(({ config }) => (config as { speaker?: { leaving: boolean } }).speaker?.leaving)
      .map((each) => each.agentId)
      .sort();
  };
  await until("a speaker is removed", async () => (await leaving()).length > 0);
  await until("configs follow the experiment", async () => {
    const { drained } = await getExperiment(stage.ctx, id);
    return drained.length > 0 && drained.toSorted().join() === (await leaving()).join();
  });
  expect((await getExperiment(stage.ctx, id)).state).toBe("running");
  await stopExperiment({ ...stage.ctx, now: new Date() }, id);
  await until("all are restored", async () => (await leaving()).length === 0);
});
