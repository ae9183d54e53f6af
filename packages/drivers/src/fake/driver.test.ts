import { type DriverHarness, sampleExposure, testDriverContract } from "../testing/index.ts";
import { fakeExposureDriver } from "./driver.ts";
import { serveWorld, worldAt } from "./serve-world.ts";
import { MemoryWorld, type World } from "./world.ts";

testDriverContract("the fake", async () => harnessOf(new MemoryWorld()));

testDriverContract("the fake, from another process", async () => {
  const world = new MemoryWorld();
  const server = await serveWorld(world);
  return { ...harnessOf(world, worldAt(server.url)), close: server.close };
});

function harnessOf(world: MemoryWorld, seen: World = world): DriverHarness {
  const desired = sampleExposure();
  return {
    driver: fakeExposureDriver(seen),
    other: fakeExposureDriver(seen),
    desired,
    changed: { ...desired, ports: [{ port: 6380, targetPort: 6379, protocol: "tcp" }] },
    async damage() {
      world.damage(desired.id);
    },
    stall() {
      const { promise: reached, resolve } = Promise.withResolvers<void>();
      world.faults.add({ operation: "list", times: 1, onMet: resolve, does: { type: "hang" } });
      return { reached };
    },
    async close() {},
  };
}
