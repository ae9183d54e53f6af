import { expect, it } from "vitest";
import { Wakeup } from "./wakeup.ts";

it("keeps a wake-up that came while nothing waited", async () => {
  const wakeup = new Wakeup();
  wakeup.wake();
  const started = performance.now();
  await wakeup.wait(60_000);
  expect(performance.now() - started).toBeLessThan(20_000);
});

it.each(["wait", "sleep"] as const)("ends a %s at once when it is closed, and every later one", async (kind) => {
  const wakeup = new Wakeup();
  const started = performance.now();
  const first = wakeup[kind](60_000);
  wakeup.close();
  await first;
  await wakeup[kind](60_000);
  expect(performance.now() - started).toBeLessThan(20_000);
});
