import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { weightsProtocol } from "@fairlead/domain/exposure";
import { updateClusterRouting } from "@fairlead/domain/routing";
import { getExposure, updateCluster, updateExposure } from "@fairlead/services";
import { createTestNode } from "@fairlead/services/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { setSpanning } from "../../../testing/set-spanning.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const router = { name: "tor-1", address: "10.0.0.1", asn: 65_021 };
const routingOf = (other: object) =>
  updateClusterRouting.parse({ asn: 65_021, balancers: ["10.0.0.0/24"], routers: [router], ...other });

it("has a condition that states why routers ignore its shares", async () => {
  const { db } = database;
  const { ctx, id, west, reconcile } = await setSpanning(db);
  const shared = async () => {
    await reconcile("exposure", id);
    const { status, reason, message } =
      (await getExposure(ctx, id)).conditions.find((each) => each.type === "Shared") ?? {};
    return [status, reason, message];
  };
  expect(await shared()).toEqual(["true", "SharesApplied", "Its clusters announce their shares."]);
  await updateCluster(ctx, west.id, { routing: routingOf({ med: 50 }) });
  expect(await shared()).toEqual([
    "false",
    "SharesIgnored",
    expect.stringMatching(/med \(MED\) is 0 .* and 50 .*: set med/),
  ]);
  expect(await db.event.count({ where: { subjectId: id, reason: "SharesIgnored", severity: "warning" } })).toBe(1);
  await updateCluster(ctx, west.id, { routing: routingOf({ med: 0 }) });
  expect((await shared())[0]).toBe("true");

  const { agentId } = await createTestNode(ctx, west.id, { name: "speaker-1", roles: ["speaker"] });
  expect(await shared()).toEqual([
    "false",
    "SharesIgnored",
    expect.stringMatching(/^The speaker on speaker-1 sends no share/),
  ]);
  await db.agent.update({ where: { id: agentId }, data: { protocolVersion: weightsProtocol } });
  expect((await shared())[0]).toBe("true");
});

it("gives a router in common the speakers of both clusters as peers", async () => {
  const { db } = database;
  const { ctx, id, own, west, reconcile, configOf, placements } = await setSpanning(db);
  const { id: agentId, nodeId } = await db.agent.findFirstOrThrow({
    where: { node: { clusterId: own.id, name: "tor-1" } },
  });
  const callers = async () => (await configOf(agentId)).router?.bgp.peers.map((each) => each.callers);
  const marks = async () => {
    const task = await db.reconcileTask.findFirstOrThrow({ where: { kind: "node", objectId: nodeId } });
    return Number(task.requests);
  };
  await updateCluster(ctx, west.id, { routing: routingOf({ balancers: ["10.9.0.0/24"] }) });
  expect(await callers()).toEqual(["10.0.0.0/24", "10.9.0.0/24"]);

  // A change of the other cluster's routing reaches the router at once.
  const before = await marks();
  await reconcile("cluster", west.id);
  expect(await marks()).toBe(before + 1);
  // Another router, or another exposure, is none of its business.
  await updateCluster(ctx, west.id, {
    routing: routingOf({ balancers: ["10.9.0.0/24"], routers: [{ ...router, address: "10.0.0.9" }] }),
  });
  expect(await callers()).toEqual(["10.0.0.0/24"]);
  await updateCluster(ctx, west.id, { routing: routingOf({ balancers: ["10.9.0.0/24"] }) });
  await updateExposure(ctx, id, { placements: [] });
  expect(await callers()).toEqual(["10.0.0.0/24", "10.9.0.0/24"]);
  await reconcile("exposure", id, new Date(Date.now() + 3_600_000));
  await reconcile("exposure", id, new Date(Date.now() + 3_600_000));
  expect(await callers()).toEqual(["10.0.0.0/24"]);
  const gone = await marks();
  await updateExposure(ctx, id, { placements: placements(10) });
  expect(await marks()).toBeGreaterThan(gone);
  expect(await callers()).toEqual(["10.0.0.0/24", "10.9.0.0/24"]);
});
