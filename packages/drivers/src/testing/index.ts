// The fake and the contract are for tests only. The product never uses fakes.

export { fakeCloudRoute, MemoryCloud } from "../cloud-route/memory-cloud.ts";
export { fakeExposureDriver } from "../fake/driver.ts";
export type { Fault } from "../fake/faults.ts";
export { serveWorld, worldAt } from "../fake/serve-world.ts";
export { type FakeBalancer, type JournalEntry, MemoryWorld, type World } from "../fake/world.ts";
export { type DriverHarness, testDriverContract } from "./contract.ts";
export { sampleExposure } from "./sample-exposure.ts";
