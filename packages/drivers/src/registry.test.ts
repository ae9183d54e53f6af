import { clusterKinds, clusterKindsWithDriver } from "@fairlead/domain";
import { expect, it } from "vitest";
import { driverFor } from "./registry.ts";

it("promises a driver for exactly the kinds of cluster that have one", () => {
  const served = clusterKinds.filter((kind) => driverFor({ id: "clu_1", kind }) !== null);
  expect(served).toEqual(clusterKinds.filter((kind) => clusterKindsWithDriver.has(kind)));
});
