import { afterAll, beforeAll, expect, it } from "vitest";
import { type FiguresStage, setFiguresStage } from "../testing/figures-stage.ts";
import type { ReportedServer } from "./backend-report.ts";

let stage: FiguresStage;
beforeAll(async () => {
  stage = await setFiguresStage();
});
afterAll(() => stage.database.drop());

it("compiles only the configs of replicas again when a server becomes ready, not those next to other servers", async () => {
  const { db } = stage.database;
  const carrier = await stage.join("n0");
  await stage.place(0, carrier);
  const [beside, other] = [await stage.join("n1", ["backend"]), await stage.join("n2", ["backend"])];
  const { organizationId, now: changedAt } = stage.ctx;
  const instance = { name: "web-1", workload: "web", nodeName: "n1", addresses: ["10.0.0.1"], ready: true };
  await db.instance.create({
    data: { ...instance, id: "ins_1", organizationId, clusterId: stage.clusterId, source: beside.agentId, changedAt },
  });
  for (const { agentId } of [carrier, beside, other])
    await db.nodeConfig.update({ where: { agentId }, data: { loadBalancerIds: [stage.balancerId] } });
  const server: ReportedServer = {
    ...{ backendId: stage.backendId, ready: false, message: "", companion: "10.0.0.1:7446" },
    ...{ ticketRevision: 0, ticketProblem: "" },
  };
  const reports = async (ready: boolean) => {
    await db.reconcileTask.deleteMany();
    await stage.report(beside, { backend: { problem: "", servers: [{ ...server, ready }] } });
    const marked = await db.reconcileTask.findMany({ where: { kind: "node" } });
    return marked.map((each) => each.objectId);
  };
  await reports(false);
  expect(await reports(true)).toEqual([carrier.nodeId]);
  expect(await reports(true)).toEqual([]);
});
