import { rotateTicketKeys, updateExposure } from "@fairlead/services";
import { expect, it, vi } from "vitest";
import { patience } from "../testing/balancer-stage.ts";
import { pod, podAddress } from "../testing/test-balancer.ts";
import { hex, onTicketStage } from "../testing/ticket-stage.ts";

const { fixture, serve, detail, rotation, inPhase, complete, keysOf, namesAt, mark, taking } = onTicketStage();
const db = () => fixture().now().db;

it("names only the last backend of an instance that moved, because agents reject a name twice", async () => {
  const { id, m1 } = await serve({ drainSeconds: 3_600 });
  await complete(id, 1);
  const [name] = namesAt(1);
  expect(name).toMatch(/^[0-9a-f]{32}$/);
  await m1.stop(); // so its last report stays
  await fixture().runs([pod(1, { nodeName: "m2", addresses: [podAddress(9)] }), pod(2, { nodeName: "m2" })]);
  await vi.waitFor(() => {
    expect(Object.entries(taking()).filter(([, companion]) => companion)).toHaveLength(3);
    expect([namesAt(9), namesAt(1)]).toEqual([[name], []]);
  }, patience);
});

it("gives no keys to a server whose socket would be rejected, and says which setting to change", async () => {
  const { id, m1, m2 } = await serve();
  await complete(id, 1);
  const socket = `/run/${"s".repeat(90)}/{instance}`; // as earlier versions accepted it
  await fixture().runs([
    pod(1, { nodeName: "m1" }),
    pod(2, { nodeName: "m2" }),
    pod(3, { name: "web-0123456789", nodeName: "m1" }),
  ]);
  await vi.waitFor(() => expect(m1.servers()).toHaveLength(2), patience);
  const spec = { software: "haproxy", folder: "/etc/haproxy/{instance}", socket, rotateHours: 24 };
  await db()
    .$executeRaw`UPDATE exposure SET parameters = jsonb_set(parameters, '{ticketKeys}', ${JSON.stringify(spec)}::jsonb) WHERE id = ${id}`;
  await mark(id);
  await vi.waitFor(() => expect(keysOf(m2)?.socket).toBe(socket), patience);
  const long = () => m1.servers().find((each) => each.instance === "web-0123456789");
  await vi.waitFor(() => {
    expect(long()).toBeDefined();
    expect(long()?.ticketKeys).toBeUndefined();
  }, patience);
  await vi.waitFor(async () => {
    const backend = (await detail(id))?.backends.find((each) => each.ticketKey?.problem);
    expect(backend?.ticketKey?.problem).toContain("has more than 107 bytes: set a shorter socket");
    expect((await rotation(id))?.message).toContain("Waits for web-0123456789.");
  }, patience);
  expect(hex(keysOf(m2)?.keys[0]?.name)).toMatch(/^[0-9a-f]{32}$/);
});

it("withdraws what an agent acknowledged when it reports a failure", async () => {
  const { id, m1 } = await serve();
  await complete(id, 1);
  m1.losing.set("web-1", "The folder doesn't exist on this node: create it.");
  await m1.say();
  await vi.waitFor(async () => {
    expect((await rotation(id))?.message).toContain("Waits for web-1.");
    const lost = (await detail(id))?.backends.find((each) => each.nodeName === "m1")?.ticketKey;
    expect(lost).toMatchObject({ outdatedSince: expect.any(Date), problem: expect.stringContaining("create it") });
  }, patience);
  m1.losing.clear();
  await m1.say();
  await complete(id, 1);
});

it("waits for a replica whose proxy uses names, because servers encrypt with them next", async () => {
  const { id } = await serve();
  await complete(id, 1);
  const [balancer] = fixture().balancers;
  if (!balancer) throw new Error("a balancer joined");
  Object.assign(balancer.session, { problem: "The engine can't place connections.", fallback: "proxy" });
  await balancer.say();
  await vi.waitFor(async () => expect((await detail(id))?.replicas).toMatchObject([{ fallback: "proxy" }]), patience);
  await balancer.hold();
  await rotateTicketKeys(fixture().now(), id);
  await vi.waitFor(async () => {
    expect(await rotation(id)).toMatchObject({ phase: "adding" });
    expect((await rotation(id))?.message).toContain("Waits for 1 replica.");
  }, patience);
  await balancer.release();
  await inPhase(id, "retiring", 2);
});

it("has no revision or epoch again when keys are managed again, so that former reports acknowledge nothing", async () => {
  const { id, m1 } = await serve();
  await complete(id, 1);
  const [before] = [keysOf(m1)];
  const { strategy } = await fixture().exposure(id);
  if (strategy.type !== "session") throw new Error("it has the strategy session");
  const { ticketKeys: _, ...learned } = { ...strategy, names: "learned" as const };
  await updateExposure(fixture().now(), id, { strategy: learned });
  await vi.waitFor(() => expect(keysOf(m1)).toBeUndefined(), patience);
  expect(await db().ticketSecret.count({ where: { exposureId: id } })).toBe(0);
  m1.lagging.set("web-1", "The disk is full.");
  await updateExposure(fixture().now(), id, { strategy });
  await vi.waitFor(() => expect(keysOf(m1)).toBeDefined(), patience);
  expect(Number(keysOf(m1)?.revision)).toBeGreaterThan(Number(before?.revision));
  expect(Number(keysOf(m1)?.keys[0]?.epoch)).toBe(2);
  await vi.waitFor(
    async () => expect(await rotation(id)).toMatchObject({ epoch: 2, message: "Waits for web-1." }),
    patience,
  );
  m1.lagging.clear();
  await m1.say();
  await complete(id, 2);
});
