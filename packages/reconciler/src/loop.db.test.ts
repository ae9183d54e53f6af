import { deleteExposure } from "@fairlead/services";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Stage, setStage } from "./testing/stage.ts";
import { until } from "./testing/until.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.close());

const status = (id: string) => stage.database.db.exposureStatus.findUniqueOrThrow({ where: { exposureId: id } });
const task = (id: string) => stage.database.db.reconcileTask.findFirst({ where: { objectId: id } });
const reasons = async (id: string) => {
  const events = await stage.database.db.event.findMany({ where: { subjectId: id } });
  return events.map((each) => each.reason).sort();
};

describe("from a wish to the outside and back", () => {
  it("makes it, and writes what it saw", async () => {
    await stage.loop();
    const id = await stage.expose();
    await stage.converged();
    expect(await status(id)).toMatchObject({ phase: "serving", observedGeneration: 1, applied: true });
    expect(stage.world.journal.map((each) => each.operation)).toEqual(["create"]);
    expect(await reasons(id)).toEqual(["Applied", "Serving"]);
    const [balancer] = await stage.database.db.loadBalancer.findMany({ include: { status: true, mappings: true } });
    expect(balancer?.status).toMatchObject({ phase: "serving", address: "203.0.113.1" });
    expect(balancer?.mappings).toHaveLength(1);
  });

  it("removes what is no longer wished, and then its row and its task", async () => {
    await stage.loop();
    const id = await stage.expose();
    await stage.converged();
    await deleteExposure(stage.ctx, id);
    await until("the row is gone", async () => (await stage.database.db.exposure.count()) === 0);
    expect(stage.world.balancersOf(id)).toEqual([]);
    await until("the task is gone", async () => (await task(id)) === null);
  });
});
