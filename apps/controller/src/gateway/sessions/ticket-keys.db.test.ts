import { toJsonString } from "@bufbuild/protobuf";
import { BalancerServiceSchema } from "@fairlead/agent-protocol";
import { listAttention, pauseExposure, resumeExposure, rotateTicketKeys, updateExposure } from "@fairlead/services";
import { expect, it, vi } from "vitest";
import { patience } from "../testing/balancer-stage.ts";
import { pod, podAddress } from "../testing/test-balancer.ts";
import { hex, onTicketStage } from "../testing/ticket-stage.ts";

const { fixture, serve, detail, rotation, inPhase, complete, keysOf, ownOf, namesAt, mark, ages, service } =
  onTicketStage();
const db = () => fixture().now().db;

it("gives each server its own key first and those of the others, and replicas their names alone", async () => {
  const { id, m1, m2 } = await serve();
  await complete(id, 1);
  expect(keysOf(m1)).toMatchObject({ software: "nginx", folder: "/etc/nginx/tickets/{instance}", socket: "" });
  expect(keysOf(m1)?.keys.map(({ server, epoch }) => [server, Number(epoch)])).toEqual([
    ["web-1", 1],
    ["web-2", 1],
  ]);
  expect(keysOf(m2)?.keys.map(({ server }) => server)).toEqual(["web-2", "web-1"]);
  const [own, other] = keysOf(m1)?.keys ?? [];
  expect([own?.name, own?.secret, other?.name].map((each) => each?.length)).toEqual([16, 64, 16]);
  expect(other?.secret).toEqual(own?.secret);
  await vi.waitFor(() => expect([namesAt(1), namesAt(2)]).toEqual([[hex(own?.name)], [hex(other?.name)]]), patience);
  expect(service()?.session).toMatchObject({ names: "managed", ticketRevision: keysOf(m1)?.revision });
  const key = { name: hex(own?.name), outdatedSince: null, problem: "", revision: Number(keysOf(m1)?.revision) };
  await vi.waitFor(
    async () =>
      expect((await detail(id))?.backends.find((each) => each.nodeName === "m1")?.ticketKey).toMatchObject(key),
    patience,
  );
});

it("rotates in three phases, of which no member misses one, and records each", async () => {
  const { id, m1, m2 } = await serve();
  await complete(id, 1);
  const [first] = ownOf(m1);
  await fixture().balancers[0]?.hold();
  await rotateTicketKeys(fixture().now(), id);
  await inPhase(id, "adding", 1);
  await vi.waitFor(async () => expect((await rotation(id))?.message).toContain("Waits for 1 replica."), patience);
  expect(ownOf(m1)).toEqual([first, 1]); // no server encrypts with what a replica doesn't recognize
  expect(keysOf(m1)?.keys.map(({ server, epoch }) => `${server} ${epoch}`)).toEqual([
    "web-1 1",
    "web-1 2",
    "web-2 1",
    "web-2 2",
  ]);
  expect((await detail(id))?.replicas[0]?.ticketsOutdatedSince).not.toBeNull();

  await fixture().balancers[0]?.release();
  await inPhase(id, "retiring", 2);
  for (const agent of [m1, m2]) expect(ownOf(agent)[1]).toBe(2);
  expect(namesAt(1)).toEqual([ownOf(m1)[0], first]);
  await expect(rotateTicketKeys(fixture().now(), id)).rejects.toThrow(
    "clients may use tickets of the former key until",
  );
  await ages(id, 23);
  expect(await rotation(id)).toMatchObject({ phase: "retiring" });
  await ages(id, 1);
  await complete(id, 2);
  await vi.waitFor(() => expect(keysOf(m1)?.keys.map(({ epoch }) => Number(epoch))).toEqual([2, 2]), patience);
  await vi.waitFor(() => expect(namesAt(1)).toEqual([ownOf(m1)[0]]), patience);
  expect(await db().ticketSecret.count({ where: { exposureId: id } })).toBe(1);
  const events = await db().event.findMany({
    where: { subjectId: id, reason: { startsWith: "TicketKeys" } },
    orderBy: { id: "asc" },
  });
  expect(events.map((each) => each.reason)).toEqual(
    ["Created", "Adding", "Switching", "Retiring", "Dropped"].map((each) => `TicketKeys${each}`),
  );
  const audit = await db().auditEntry.findMany({ where: { subjectId: id, action: "exposure.rotate-ticket-keys" } });
  expect(audit).toMatchObject([{ before: { epoch: 1 }, after: { epoch: 2 } }]);

  await ages(id, 24);
  await inPhase(id, "retiring", 3); // by itself, a day later
});

it("waits for an outdated server, names it and why, and drops nothing meanwhile", async () => {
  const { id, m1, m2 } = await serve();
  await complete(id, 1);
  m2.lagging.set("web-2", "nginx was not reloaded.");
  await rotateTicketKeys(fixture().now(), id);
  await vi.waitFor(async () => {
    const session = await detail(id);
    expect(session?.ticketRotation).toMatchObject({ phase: "adding", nextAt: null });
    expect(session?.ticketRotation?.message).toContain("Waits for web-2.");
    const keys = new Map(session?.backends.map(({ nodeName, ticketKey }) => [nodeName, ticketKey]));
    expect(keys.get("m1")).toMatchObject({ outdatedSince: null, problem: "" });
    expect(keys.get("m2")).toMatchObject({ outdatedSince: expect.any(Date), problem: "nginx was not reloaded." });
    expect(session?.message).toBe("Placed by TLS session, on 2 of 2 backends.");
  }, patience);
  await ages(id, 240);
  await mark(id);
  expect(ownOf(m1)[1]).toBe(1);
  expect(await db().ticketSecret.count({ where: { exposureId: id } })).toBe(2);
  const later = { ...fixture().now(), now: new Date(Date.now() + 16 * 60_000) };
  const { items } = await listAttention(later, { kind: ["exposure-ticket-keys-outdated"], limit: 10 });
  expect(items).toMatchObject([
    { subjectId: id, message: expect.stringContaining("The ticket keys of web-2 are outdated:") },
  ]);
  m2.lagging.clear();
  await m2.say();
  await inPhase(id, "retiring", 2);
});

it("counts the tickets of a server more than the report of its agent, also after a restart with former keys", async () => {
  const { id, m1 } = await serve();
  await complete(id, 1);
  const [balancer] = fixture().balancers;
  const sees = async (name: string) => {
    balancer?.seen.set(podAddress(1), { name: Buffer.from(name, "hex"), at: new Date() });
    await balancer?.say();
    await mark(id);
  };
  const former = String(ownOf(m1)[0]);
  await sees(former);
  await rotateTicketKeys(fixture().now(), id);
  await inPhase(id, "switching", 2);
  await vi.waitFor(
    async () => expect(await rotation(id)).toMatchObject({ message: expect.stringContaining("Waits for web-1.") }),
    patience,
  );
  const problem = async () => (await detail(id))?.backends.find((each) => each.nodeName === "m1")?.ticketKey?.problem;
  const expected = "its tickets still start with the name of a former key";
  await vi.waitFor(async () => expect(await problem()).toContain(expected), patience); // once its agent reports the keys
  await sees(String(ownOf(m1)[0]));
  await inPhase(id, "retiring", 2);
  await sees(former);
  await inPhase(id, "switching", 2);
  expect(await db().event.count({ where: { subjectId: id, reason: "TicketKeysInUse", severity: "warning" } })).toBe(1);
  await sees(String(ownOf(m1)[0]));
  await inPhase(id, "retiring", 2);
});

it("has a new revision for a server that is added, and none for what it doesn't depend on", async () => {
  const { id, m1 } = await serve();
  await complete(id, 1);
  const before = Number(keysOf(m1)?.revision);
  await mark(id);
  await updateExposure(fixture().now(), id, { labels: { team: "web" } });
  await fixture().runs([pod(1, { nodeName: "m1" }), pod(2, { nodeName: "m2" }), pod(3, { nodeName: "m1" })]);
  await vi.waitFor(() => expect(keysOf(m1)?.keys).toHaveLength(3), patience);
  await complete(id, 1);
  expect(Number(keysOf(m1)?.revision)).toBe(before + 1);
});

it("keeps the keys of a paused exposure, and deletes those that are no longer managed", async () => {
  const { id, m1 } = await serve();
  await complete(id, 1);
  const before = keysOf(m1);
  await pauseExposure(fixture().now(), id);
  await expect(rotateTicketKeys(fixture().now(), id)).rejects.toThrow("is paused: resume it first");
  await ages(id, 24);
  await vi.waitFor(
    async () => expect(await db().reconcileTask.count({ where: { objectId: id, dueAt: { lte: new Date() } } })).toBe(0),
    patience,
  );
  expect(await rotation(id)).toMatchObject({ phase: "idle", epoch: 1 });
  expect(keysOf(m1)).toEqual(before);
  expect(namesAt(1)).toEqual([ownOf(m1)[0]]);
  await resumeExposure(fixture().now(), id);
  await inPhase(id, "retiring", 2);
  const { strategy } = await fixture().exposure(id);
  if (strategy.type !== "session") throw new Error("it has the strategy session");
  const { ticketKeys: _, ...learned } = { ...strategy, names: "learned" as const };
  await updateExposure(fixture().now(), id, { strategy: learned });
  await vi.waitFor(() => expect(keysOf(m1)).toBeUndefined(), patience);
  expect(await db().ticketRotation.count({ where: { exposureId: id } })).toBe(0);
  await expect(rotateTicketKeys(fixture().now(), id)).rejects.toThrow("aren't managed");
  expect((await detail(id))?.ticketRotation).toBeNull();
});

it("never discloses a secret", async () => {
  const { id, m1 } = await serve();
  await complete(id, 1);
  const secret = Buffer.from(keysOf(m1)?.keys[0]?.secret ?? []);
  expect(secret).toHaveLength(64);
  const [{ sealed = "" } = {}] = await db().ticketSecret.findMany({
    where: { exposureId: id },
    omit: { sealed: false },
  });
  const configs = inText(await db().nodeConfig.findMany());
  const shown = [
    await fixture().exposure(id),
    await db().ticketRotation.findMany({ include: { secrets: true } }),
    await db().auditEntry.findMany(),
    await db().event.findMany(),
  ].map(inText);
  for (const text of [...shown, configs])
    for (const encoding of ["hex", "base64", "base64url"] as const)
      for (const part of [secret, secret.subarray(0, 32)])
        expect(text).not.toContain(part.toString(encoding).slice(0, 40));
  for (const text of shown) expect(text).not.toContain(sealed);
  expect(configs).toContain(sealed);
  // Balancers get names, which reveal nothing.
  const [carried] = fixture().balancers[0]?.services() ?? [];
  expect(carried && toJsonString(BalancerServiceSchema, carried)).not.toContain(secret.toString("base64").slice(0, 40));
});

function inText(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === "bigint" ? String(each) : each));
}
