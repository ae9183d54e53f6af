import type { MetricName, Series, SeriesAnswer } from "@fairlead/domain/series";
import { expect, it } from "vitest";
import {
  joinMetrics,
  latestSums,
  linesByInterface,
  linesByMetric,
  linesBySubject,
  linesOfLosses,
  linesOfRoundTrips,
  maxRoundTrips,
} from "./lines.ts";

function flat(metric: MetricName, value: number, labels: Record<string, string> = {}, subjectId = "node_1"): Series {
  const points = [0, 5_000].map((at) => ({ at: new Date(at), min: value, avg: value, max: value }));
  return { subjectId, metric, unit: "ratio", labels, intervalMs: 5_000, points };
}
const answer = (...series: Series[]): SeriesAnswer => ({ resolutionMs: 5_000, series });

it("draws the measured metrics in the requested order", () => {
  const data = linesByMetric(answer(flat("cpuUserRatio", 0.2), flat("cpuUtilizationRatio", 0.3)), {
    cpuUtilizationRatio: "all",
    cpuUserRatio: "user",
    cpuStealRatio: "stolen",
  });
  expect(data.lines.map((line) => [line.title, line.summary?.last])).toEqual([
    ["all", 0.3],
    ["user", 0.2],
  ]);
});

it("is empty if a node reports none of the metrics", () => {
  const titles = { trackedConnectionsLimit: "limit", trackedConnections: "tracked" };
  expect(linesByMetric(answer(), titles)).toMatchObject({ unit: "count", lines: [], rows: [] });
});

it("draws the busiest interfaces and counts the rest", () => {
  const eth = (name: string, received: number) => flat("interfaceReceiveBps", received, { interface: name });
  const result = linesByInterface(answer(eth("eth0", 5), eth("eth1", 90), eth("eth2", 0), eth("eth3", 7)), {
    interfaceReceiveBps: "received",
    interfaceTransmitBps: "sent",
  });
  expect(result.shown).toEqual(["eth1", "eth3", "eth0"]);
  expect(result.hidden).toBe(1);
  expect(result.data.lines.map((line) => line.title)).toEqual(["eth1 received", "eth3 received", "eth0 received"]);
});

it("draws round trips to the farthest nodes by name, and counts the rest", () => {
  const others = Array.from({ length: maxRoundTrips + 2 }, (_, i) => ({ id: `node_${i}`, name: `rack-${i}` }));
  const to = (id: string, ms: number) => flat("roundTripMs", ms, { node: id });
  const { data, hidden } = linesOfRoundTrips(
    answer(...others.map(({ id }, i) => to(id, i + 1)), to("node_of_before", 99)),
    others,
  );
  expect(data.unit).toBe("ms");
  expect(data.lines.map((line) => line.title)).toEqual(["rack-7", "rack-6", "rack-5", "rack-4", "rack-3", "rack-2"]);
  expect(hidden).toBe(2);
});

it("puts the busiest subject first and names it", () => {
  const data = linesBySubject(
    answer(flat("cpuUtilizationRatio", 0.1), flat("cpuUtilizationRatio", 0.8, {}, "node_2")),
    "ratio",
    (id) => `name of ${id}`,
  );
  expect(data.lines.map((line) => line.title)).toEqual(["name of node_2", "name of node_1"]);
});

it("draws only counters with losses, the worst first", () => {
  const on = (name: string, metric: MetricName, value: number) => flat(metric, value, { interface: name });
  const data = linesOfLosses(
    answer(
      on("eth0", "interfaceReceiveDropsPerSecond", 0),
      on("eth0", "interfaceTransmitErrorsPerSecond", 1),
      on("eth1", "interfaceReceiveDropsPerSecond", 4),
    ),
    { interfaceReceiveDropsPerSecond: "dropped", interfaceTransmitErrorsPerSecond: "errors" },
  );
  expect(data.lines.map((line) => line.title)).toEqual(["eth1 dropped", "eth0 errors"]);
});

it("adds up the latest values", () => {
  const latest = latestSums(
    answer(
      flat("interfaceReceiveBps", 2, { interface: "eth0" }),
      flat("interfaceReceiveBps", 3, { interface: "eth1" }),
      flat("interfaceTransmitBps", 1, { interface: "eth0" }),
    ),
  );
  expect(latest).toEqual({
    interfaceReceiveBps: { value: 5, at: new Date(5_000) },
    interfaceTransmitBps: { value: 1, at: new Date(5_000) },
  });
});

it("adds up received and sent bytes", () => {
  const sums = joinMetrics(
    answer(
      flat("interfaceReceiveBps", 2),
      flat("interfaceTransmitBps", 3),
      flat("interfaceReceiveBps", 7, {}, "node_2"),
    ),
  );
  expect(sums.series.map((each) => [each.subjectId, each.points.map((point) => point.avg)])).toEqual([
    ["node_1", [5, 5]],
    ["node_2", [7, 7]],
  ]);
});
