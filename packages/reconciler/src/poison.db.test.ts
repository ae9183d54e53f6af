import { afterEach, beforeEach, expect, it } from "vitest";
import { type Stage, setStage } from "./testing/stage.ts";
import { until } from "./testing/until.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.close());

it("an object that crashes its controller again and again starves no other", async () => {
  const poison = await stage.expose();
  const others: string[] = [];
  for (let i = 0; i < 12; i++) others.push(await stage.expose());
  const isMade = (id: string) => stage.world.balancersOf(id).length > 0;

  // The poison object ends each controller while others are in progress; then the test starts a new controller.
  const allMade = () => others.every(isMade);
  let lives = 0;
  while (!allMade() || lives < 3) {
    expect(++lives, "so many controllers should have been enough").toBeLessThan(15);
    const child = await stage.child({ leaseMs: 500, killAt: { step: "loaded", objectId: poison } });
    const madeAll = lives < 3 ? child.ended : until("all others are made", allMade).catch(() => {});
    await Promise.race([child.ended, madeAll]);
  }
  expect(isMade(poison)).toBe(false);
  const task = await stage.database.db.reconcileTask.findFirstOrThrow({ where: { objectId: poison } });
  expect(task.attempts).toBeGreaterThanOrEqual(2);
});

it("an object that always fails delays no other", async () => {
  const poison = await stage.expose();
  stage.world.faults.add({ operation: "list", exposureId: poison, does: { type: "fail" } });
  await stage.loop({ concurrency: 1, random: () => 0 });
  const others: string[] = [];
  for (let i = 0; i < 12; i++) others.push(await stage.expose());
  await until("all others are made", () => others.every((id) => stage.world.balancersOf(id).length > 0));
});
