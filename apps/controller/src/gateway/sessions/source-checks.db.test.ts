import { inTransaction } from "@fairlead/db";
import { writeChecks } from "@fairlead/reconciler";
import { expect, it, vi } from "vitest";
import { patience } from "../testing/balancer-stage.ts";
import { onSessionStage } from "../testing/session-stage.ts";
import { companionOf } from "../testing/test-backend.ts";
import { pod, podAddress } from "../testing/test-balancer.ts";

const { fixture, addBackend, expose, taking, condition } = onSessionStage();

it("doesn't give connections to a server whose replies the cloud drops, and shows the cure", async () => {
  await fixture().join(1);
  await fixture().runs([pod(1, { nodeName: "m1" }), pod(2, { nodeName: "m2" })]);
  await addBackend("m1");
  await addBackend("m2");
  const { id } = await expose();
  const both = Object.fromEntries([1, 2].map((number) => [podAddress(number), companionOf(podAddress(number))]));
  await vi.waitFor(() => expect(taking()).toEqual(both), patience);

  const { db } = fixture().now();
  const { clusterId } = fixture();
  const checks = (numbers: number[]) =>
    inTransaction(db, (tx) =>
      writeChecks(
        tx,
        clusterId,
        numbers.map((number) => ({ address: podAddress(number), interfaceId: `eni-${number}` })),
        new Date(),
      ),
    );
  await checks([1]);
  await vi.waitFor(() => expect(taking()).toEqual({ ...both, [podAddress(1)]: undefined }), patience);
  const shown = async () => (await fixture().exposure(id)).session?.backends.map((each) => each.message);
  expect(await shown()).toEqual([expect.stringContaining("--network-interface-id eni-1 --no-source-dest-check"), ""]);
  expect((await fixture().exposure(id)).session?.backends.map((each) => each.takesConnections)).toEqual([false, true]);

  await checks([1, 2]);
  await vi.waitFor(async () => expect(await condition(id)).toMatchObject({ reason: "NotBySession" }), patience);
  expect((await condition(id))?.message).toContain("source/destination check");

  await checks([]);
  await vi.waitFor(() => expect(taking()).toEqual(both), patience);
  await vi.waitFor(async () => expect(await condition(id)).toMatchObject({ reason: "BySession" }), patience);
  expect(await shown()).toEqual(["", ""]);
});
