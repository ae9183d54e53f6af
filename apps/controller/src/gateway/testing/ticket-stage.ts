import type { SessionStrategy } from "@fairlead/domain/exposure";
import { markDirty } from "@fairlead/services";
import { expect, vi } from "vitest";
import { hourMs, patience } from "./balancer-stage.ts";
import { onSessionStage } from "./session-stage.ts";
import type { TestBackend } from "./test-backend.ts";
import { pod, podAddress } from "./test-balancer.ts";

const ticketKeys = { software: "nginx", folder: "/etc/nginx/tickets/{instance}", rotateHours: 24 } as const;
const managed = { names: "managed", ticketKeys, serverNames: undefined } as const;

export const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString("hex");

/** onTicketStage is the stage of sessions, for exposures with managed ticket keys. */
export function onTicketStage() {
  const stage = onSessionStage();
  const { fixture, addBackend, expose, service } = stage;
  const db = () => fixture().now().db;
  const detail = async (id: string) => (await fixture().exposure(id)).session;
  const rotation = async (id: string) => (await detail(id))?.ticketRotation;
  const mark = (id: string) => markDirty(db(), "exposure", id);
  const keysOf = (agent: TestBackend) => agent.servers()[0]?.ticketKeys;

  /** serve has two servers on a node each, with an agent next to each, and one replica. */
  async function serve(change: Partial<SessionStrategy> = {}) {
    await fixture().join(1);
    await fixture().runs([pod(1, { nodeName: "m1" }), pod(2, { nodeName: "m2" })]);
    const [m1, m2] = [await addBackend("m1"), await addBackend("m2")];
    const { id } = await expose(1, { ...managed, ...change });
    await vi.waitFor(async () => expect(await fixture().exposure(id)).toMatchObject({ phase: "serving" }), patience);
    return { id, m1, m2 };
  }

  return {
    ...stage,
    serve,
    detail,
    rotation,
    mark,
    keysOf,
    inPhase: (id: string, phase: string, epoch: number) =>
      vi.waitFor(async () => expect(await rotation(id)).toMatchObject({ phase, epoch }), patience),
    complete: (id: string, epoch: number) =>
      vi.waitFor(async () => {
        const message = "All servers have the newest keys.";
        expect(await rotation(id)).toMatchObject({ phase: "idle", epoch, message });
      }, patience),
    /** ownOf returns the name and the epoch with which the server of an agent encrypts. */
    ownOf: (agent: TestBackend) => [hex(keysOf(agent)?.keys[0]?.name), Number(keysOf(agent)?.keys[0]?.epoch)],
    namesAt: (number: number) =>
      service()
        ?.backends.find((each) => each.address === podAddress(number))
        ?.session?.ticketNames.map(hex) ?? [],
    /** ages makes the phase older. */
    async ages(id: string, hours: number) {
      const { since, dropAt } = await db().ticketRotation.findUniqueOrThrow({ where: { exposureId: id } });
      const back = (at: Date) => new Date(at.getTime() - hours * hourMs);
      const data = { since: back(since), dropAt: dropAt && back(dropAt) };
      await db().ticketRotation.update({ where: { exposureId: id }, data });
      await mark(id);
    },
  };
}
