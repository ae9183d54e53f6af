import { deleteExposure, markDirty, pauseExposure } from "@fairlead/services";
import { expect, it, vi } from "vitest";
import { hourMs, patience } from "../testing/balancer-stage.ts";
import { onSessionStage } from "../testing/session-stage.ts";
import { pod } from "../testing/test-balancer.ts";

const { stage, fixture, addBackend, expose, service } = onSessionStage();
const keysOf = (id: string) =>
  fixture()
    .now()
    .db.sessionKey.findMany({ where: { clusterId: id }, orderBy: { epoch: "asc" }, omit: { sealed: false } });

it("changes the key of a cluster once a day, and keeps the one before, while a paused exposure gets both too", async () => {
  await fixture().join(1);
  await fixture().runs([pod(1, { nodeName: "m1" })]);
  const m1 = await addBackend("m1");
  const { id } = await expose();
  await vi.waitFor(async () => expect(await fixture().exposure(id)).toMatchObject({ phase: "serving" }), patience);
  const first = service()?.session?.keys?.current;
  const { db } = fixture().now();
  const agesBy = (ms: number) =>
    db.sessionKey.updateMany({
      where: { clusterId: fixture().clusterId },
      data: { createdAt: new Date(Date.now() - ms) },
    });

  await agesBy(23 * hourMs);
  await markDirty(db, "cluster", fixture().clusterId);
  await vi.waitFor(
    async () =>
      expect(await db.reconcileTask.count({ where: { kind: "cluster", objectId: fixture().clusterId } })).toBe(0),
    patience,
  );
  expect(await keysOf(fixture().clusterId)).toMatchObject([{ epoch: 1 }]);

  // All agents accept the new key before any uses it.
  await agesBy(24 * hourMs);
  await markDirty(db, "exposure", id);
  await vi.waitFor(() => expect(service()?.session?.keys?.previous).toHaveLength(64), patience);
  expect(service()?.session?.keys?.current).toEqual(first);
  const second = service()?.session?.keys?.previous;
  await vi.waitFor(() => expect(m1.servers()[0]?.keys).toMatchObject({ current: first, previous: second }), patience);
  await agesBy(hourMs);
  await markDirty(db, "exposure", id);
  for (const keys of [() => service()?.session?.keys, () => m1.servers()[0]?.keys])
    await vi.waitFor(() => expect(keys()).toMatchObject({ current: second, previous: first }), patience);

  await pauseExposure(fixture().now(), id);
  await agesBy(25 * hourMs);
  await markDirty(db, "cluster", fixture().clusterId);
  for (const keys of [() => service()?.session?.keys, () => m1.servers()[0]?.keys])
    await vi.waitFor(() => {
      expect(keys()?.current).toEqual(second);
      expect(keys()?.previous).not.toEqual(first);
    }, patience);
  expect(await keysOf(fixture().clusterId)).toMatchObject([{ epoch: 2 }, { epoch: 3 }]);
});

it("never discloses a key", async () => {
  await fixture().join(1);
  await fixture().runs([pod(1, { nodeName: "m1" })]);
  const m1 = await addBackend("m1");
  const { id } = await expose();
  await vi.waitFor(async () => expect(await fixture().exposure(id)).toMatchObject({ phase: "serving" }), patience);
  const derived = Buffer.from(service()?.session?.keys?.current ?? []);
  expect(Buffer.from(m1.servers()[0]?.keys?.current ?? []).equals(derived)).toBe(true);
  const { db } = fixture().now();
  const [{ sealed = "" } = {}] = await keysOf(fixture().clusterId);
  expect(sealed).not.toBe("");
  const shown = [
    await fixture().exposure(id),
    await db.sessionKey.findMany(),
    await db.auditEntry.findMany(),
    await db.feedEntry.findMany(),
    await db.event.findMany(),
  ].map(inText);
  for (const text of [...shown, inText(await db.nodeConfig.findMany())])
    for (const encoding of ["hex", "base64", "base64url"] as const)
      expect(text).not.toContain(derived.toString(encoding));
  // Sealed, it is only in its table and in stored configs.
  for (const text of shown) expect(text).not.toContain(sealed);
  expect(inText(await db.nodeConfig.findMany())).toContain(sealed);
});

it("keeps the number of an instance that returns, and releases it meanwhile", async () => {
  await fixture().join(1);
  const both = [pod(1, { nodeName: "m1" }), pod(2, { nodeName: "m1" })];
  await fixture().runs(both);
  const { id } = await expose();
  const numbers = async () =>
    (await stage().database.db.sessionNumber.findMany({ where: { exposureId: id }, orderBy: { instance: "asc" } })).map(
      ({ instance, number, releasedAt }) => [instance, number, releasedAt !== null],
    );
  const first = [["web-1", 1, false] as const, ["web-2", 2, false] as const];
  await vi.waitFor(async () => expect(await numbers()).toEqual(first), patience);
  await fixture().runs(both.slice(1));
  await vi.waitFor(async () => expect(await numbers()).toEqual([["web-1", 1, true], first[1]]), patience);
  await fixture().runs([...both, pod(3, { nodeName: "m1" })]);
  await vi.waitFor(async () => expect(await numbers()).toEqual([...first, ["web-3", 3, false]]), patience);
});

it("takes an exposure off the agents of its backends before its address is free", async () => {
  await fixture().join(1);
  await fixture().runs([pod(1, { nodeName: "m1" })]);
  const m1 = await addBackend("m1");
  const { id } = await expose();
  await vi.waitFor(() => expect(m1.servers()).toHaveLength(1), patience);
  await deleteExposure(fixture().now(), id);
  await vi.waitFor(async () => expect(await stage().database.db.exposure.count({ where: { id } })).toBe(0), patience);
  await vi.waitFor(() => expect(m1.servers()).toEqual([]), patience);
});

function inText(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === "bigint" ? String(each) : each));
}
