import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { weightsProtocol } from "@fairlead/domain/exposure";
import { updateClusterRouting } from "@fairlead/domain/routing";
import { getExposure, updateCluster } from "@fairlead/services";
import { createTestNode } from "@fairlead/services/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { setSpanning } from "../../../testing/set-spanning.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

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
  const router = { name: "tor-1", address: "10.0.0.1", asn: 65_021 };
  const routing = updateClusterRouting.parse({ asn: 65_021, balancers: ["10.0.0.0/24"], routers: [router] });
  await updateCluster(ctx, west.id, { routing: { ...routing, med: 50 } });
  expect(await shared()).toEqual([
    "false",
    "SharesIgnored",
    expect.stringMatching(/med \(MED\) is 0 .* and 50 .*: set med/),
  ]);
  expect(await db.event.count({ where: { subjectId: id, reason: "SharesIgnored", severity: "warning" } })).toBe(1);
  await updateCluster(ctx, west.id, { routing: { ...routing, med: 0 } });
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
