import { metricsAt, metricsFrom } from "@fairlead/domain/series";
import { expect, it } from "vitest";
import { drawnMetrics } from "./chart-list.ts";

// Drops have a separate chart, by reason. Those of sessions are shown with their exposure.
const elsewhere = ["dropsPerSecond", ...metricsFrom("session")];

it("draws every metric of load balancers, and no other", () => {
  expect([...drawnMetrics, ...elsewhere].toSorted()).toEqual(metricsAt("balancer").toSorted());
});
