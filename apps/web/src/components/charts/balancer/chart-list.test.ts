import { metricsFrom } from "@fairlead/domain/series";
import { expect, it } from "vitest";
import { drawnMetrics } from "./chart-list.ts";

// What is dropped has a chart of its own, by reason.
const elsewhere = ["dropsPerSecond"];

it("draws every metric that is measured of load balancers, and no other", () => {
  const measured = new Set<string>([...metricsFrom("balancer"), ...metricsFrom("cloud")]);
  expect([...drawnMetrics, ...elsewhere].toSorted()).toEqual([...measured].toSorted());
});
