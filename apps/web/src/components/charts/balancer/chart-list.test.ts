import { metricsAt } from "@fairlead/domain/series";
import { expect, it } from "vitest";
import { drawnMetrics } from "./chart-list.ts";

// Drops have a separate chart, by reason.
const elsewhere = ["dropsPerSecond"];

it("draws every metric of load balancers, and no other", () => {
  expect([...drawnMetrics, ...elsewhere].toSorted()).toEqual(metricsAt("balancer").toSorted());
});
