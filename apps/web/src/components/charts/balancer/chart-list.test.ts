import { metricsAt, metricsFrom } from "@fairlead/domain/series";
import { expect, it } from "vitest";
import { drawnMetrics } from "./chart-list.ts";

// Drops have a separate chart, by reason. Those of sessions, and of where connections go, are shown with their exposure.
const ofRoutes = ["sentToOtherNodesPerSecond", "roundTripsMsPerSecond", "evenRoundTripsMsPerSecond"];
const elsewhere = ["dropsPerSecond", ...metricsFrom("session"), ...ofRoutes];

it("draws every metric of load balancers, and no other", () => {
  expect([...drawnMetrics, ...elsewhere].toSorted()).toEqual(metricsAt("balancer").toSorted());
});
