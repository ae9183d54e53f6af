import { markDirty } from "@fairlead/services";
import { expect, it, vi } from "vitest";
import { hourMs, patience } from "../testing/balancer-stage.ts";
import { connectsAs } from "../testing/test-agent.ts";
import { pod } from "../testing/test-balancer.ts";
import { onTicketStage } from "../testing/ticket-stage.ts";

const { fixture, addBackend, expose, serve, complete, service, settled, condition } = onTicketStage();

it("gives an agent of an earlier version no managed names, which it would reject, and says to update it", async () => {
  const { id } = await serve();
  await complete(id, 1);
  const [balancer] = fixture().balancers;
  if (!balancer) throw new Error("a balancer joined");
  const revision = service()?.session?.ticketRevision;
  expect(service()?.session).toMatchObject({ names: "managed" });
  await connectsAs(balancer, 1, "balancer");
  await vi.waitFor(() => expect(service()?.session).toMatchObject({ names: "learned", ticketRevision: 0n }), patience);
  const outdated =
    "Update the agent of the role balancer on n1: until then, it uses no managed ticket keys and no proxy.";
  await vi.waitFor(async () => expect((await condition(id))?.message).toContain(outdated), patience);
  await connectsAs(balancer, 2, "balancer");
  await vi.waitFor(
    () => expect(service()?.session).toMatchObject({ names: "managed", ticketRevision: revision }),
    patience,
  );
  await vi.waitFor(async () => expect((await condition(id))?.message).not.toContain("Update"), patience);
});

it("sends pods no wrapped packets while an agent of an earlier version is next to one, and no sessions to an earlier proxy", async () => {
  await fixture().join(1);
  await fixture().runs([pod(1, { nodeName: "m1" }), pod(2, { nodeName: "m2" })]);
  const [m1, m2] = [await addBackend("m1"), await addBackend("m2")];
  const { id } = await expose();
  await vi.waitFor(async () => expect(await fixture().exposure(id)).toMatchObject({ phase: "serving" }), patience);
  await settled();
  const { db } = fixture().now();
  await db.cluster.update({ where: { id: fixture().clusterId }, data: { kind: "kubernetes" } });
  await markDirty(db, "exposure", id);
  await vi.waitFor(() => expect(service()).toMatchObject({ delivery: "gue" }), patience);
  await connectsAs(m1, 1, "backend");
  await vi.waitFor(() => expect(service()).toMatchObject({ delivery: "direct" }), patience);
  const outdated =
    "Update the agent of the role backend on m1: until then, it writes no ticket keys and unwraps no packets.";
  await vi.waitFor(async () => expect((await condition(id))?.message).toContain(outdated), patience);
  await connectsAs(m1, 2, "backend");
  await vi.waitFor(() => expect(service()).toMatchObject({ delivery: "gue" }), patience);

  for (const [agent, name] of [
    [m1, "web-1"],
    [m2, "web-2"],
  ] as const) {
    agent.failing.set(name, "Linux is too old.");
    await agent.say();
  }
  const takenAt = new Date(Date.now() - hourMs);
  await db.exposureSession.update({ where: { exposureId: id }, data: { takenAt } });
  await markDirty(db, "exposure", id);
  await vi.waitFor(() => expect(service()).toMatchObject({ delivery: "proxy", session: { ids: true } }), patience);
  const [balancer] = fixture().balancers;
  if (!balancer) throw new Error("a balancer joined");
  await connectsAs(balancer, 1, "balancer");
  await vi.waitFor(() => expect(service()).toMatchObject({ delivery: "nat" }), patience);
  expect(service()?.session).toBeUndefined();
  await connectsAs(balancer, 2, "balancer");
  await vi.waitFor(() => expect(service()).toMatchObject({ delivery: "proxy", session: { ids: true } }), patience);
});

it("names no agent of an earlier version whose server reads its keys from a Secret", async () => {
  const { id, m1 } = await serve();
  await connectsAs(m1, 1, "backend");
  const outdated = "Update the agent of the role backend on m1";
  await vi.waitFor(async () => expect((await condition(id))?.message).toContain(outdated), patience);
  const { db } = fixture().now();
  await db.$executeRaw`UPDATE exposure SET parameters = jsonb_set(parameters, '{ticketKeys,secret}', '"web-tickets"') WHERE id = ${id}`;
  await markDirty(db, "exposure", id);
  await vi.waitFor(async () => expect((await condition(id))?.message).not.toContain("Update"), patience);
});
