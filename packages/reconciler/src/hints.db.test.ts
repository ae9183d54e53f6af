import { taskChannel, updateExposure } from "@fairlead/services";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LoopOptions } from "./loop.ts";
import { type Stage, setStage } from "./testing/stage.ts";
import { until } from "./testing/until.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.close());

/** Counts how often each object is claimed. No lease ends on a busy machine, because then an object is claimed again. */
function countClaims() {
  const claims: string[] = [];
  const onStep: LoopOptions["onStep"] = (step, task) => {
    if (step === "claimed") claims.push(task.objectId);
  };
  return { claims, counted: { onStep, leaseMs: 60_000 } };
}
const notifyOnce = () => stage.database.db.$executeRawUnsafe(`SELECT pg_notify('${taskChannel}', 'exposure')`);
const made = (id: string) => stage.world.balancersOf(id).length > 0;
const longPollMs = 600_000;

describe("hints only save time", () => {
  it("never delivered: everything converges within the poll interval", async () => {
    await stage.loop({ listenUrl: null, pollMs: 200 });
    const started = performance.now();
    const id = await stage.expose();
    await stage.converged();
    // Less than a second on an idle machine. Without polls it would never happen.
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(made(id)).toBe(true);
  });

  it("delivered twice or many times: an object marked once is claimed once", async () => {
    const { claims, counted } = countClaims();
    await Promise.all([stage.loop(counted), stage.loop(counted)]);
    const id = await stage.expose();
    await Promise.all(Array.from({ length: 50 }, notifyOnce));
    const last = await stage.expose();
    await stage.converged();
    expect(claims.sort()).toEqual([id, last].sort());
  });

  it("delivered late, after the object was reconciled: it is not reconciled again", async () => {
    const { claims, counted } = countClaims();
    await stage.loop({ ...counted, pollMs: longPollMs });
    const id = await stage.expose();
    await stage.converged();
    await notifyOnce();
    // Hints keep their order: once this hint has been acted on, the late one has too.
    const next = await stage.expose();
    await until("the next is made", () => made(next));
    expect(claims).toEqual([id, next]);
  });

  it("delivered in time: a change is reconciled at once, not at the next poll", async () => {
    await stage.loop({ pollMs: longPollMs });
    const started = performance.now();
    const id = await stage.expose();
    await until("it is made", () => made(id));
    // A tenth of a second on an idle machine. The next poll is minutes away.
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  it("lost with their connection: it is opened again, and missed changes are found", async () => {
    const { db } = stage.database;
    await stage.loop({ pollMs: longPollMs });
    await db.$executeRaw`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'fairlead-reconciler-hints' AND datname = current_database()`;
    const missed = await stage.expose();
    await until("what was missed is made", () => made(missed));
    await updateExposure(stage.ctx, missed, { ports: [{ port: 8443, protocol: "tcp" }] });
    await until("the next is heard", () => stage.world.balancersOf(missed)[0]?.ports[0]?.port === 8443);
  });
});
