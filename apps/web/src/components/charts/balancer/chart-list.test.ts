import { metricsFrom } from "@fairlead/domain/series";
import { expect, it } from "vitest";
import { drawnMetrics } from "./chart-list.ts";

// Drops have a separate chart, by reason.
const elsewhere = ["dropsPerSecond"];

it("draws every metric of load balancers, and no other", () => {
  const measured = new Set<string>([...metricsFrom("balancer"), ...metricsFrom("cloud")]);
  expect([...drawnMetrics, ...elsewhere].toSorted()).toEqual([...measured].toSorted());
});
