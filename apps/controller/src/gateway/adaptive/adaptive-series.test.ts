import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type AdaptiveServiceStatusSchema, ReportRequestSchema } from "@fairlead/agent-protocol";
import { expect, it } from "vitest";
import { adaptiveSeries } from "./adaptive-series.ts";

type Service = MessageInitShape<typeof AdaptiveServiceStatusSchema>;

const own = { nodeId: "own", share: 0.75, backends: 1, open: 2n };
const far = { nodeId: "far", share: 0.25, backends: 3, open: 1n };
const service = (fields: Service = {}): Service => ({
  ...{ loadBalancerId: "lb_1", connectionsPerSecond: 8, nodes: [own, far] },
  ...fields,
});

function valuesOf(services: Service[], roundTripMs = 10): Record<string, number | undefined> {
  const adaptive = { services, peers: [{ nodeId: "far", state: "exchanging", roundTripMs }] };
  const series = adaptiveSeries(create(ReportRequestSchema, { at: timestampFromMs(1_000), adaptive }), "own");
  for (const { labels, atMs } of series) expect([labels, atMs]).toEqual([{ loadBalancer: "lb_1" }, [1_000]]);
  return Object.fromEntries(series.map(({ metric, values }) => [metric, values[0]]));
}

it("compares the round trips of new connections with those of an even choice among instances", () => {
  expect(valuesOf([service()])).toEqual({
    ...{ connectionsLive: 3, localShareRatio: 0.75, sentToOtherNodesPerSecond: 2 },
    ...{ roundTripsMsPerSecond: 8 * 0.25 * 10, evenRoundTripsMsPerSecond: 8 * 0.75 * 10 },
  });
});

it("adds up the ports of a load balancer", () => {
  const other = service({ connectionsPerSecond: 1, nodes: [{ ...far, share: 1 }] });
  expect(valuesOf([service(), other])).toMatchObject({
    ...{ connectionsLive: 4, localShareRatio: 0.375, sentToOtherNodesPerSecond: 3 },
    ...{ roundTripsMsPerSecond: 30, evenRoundTripsMsPerSecond: 70 },
  });
});

it.each<[string, Service, number]>([
  ["a round trip is unknown", service(), 0],
  ["no instance may get new connections", service({ nodes: [{ ...own, backends: 0 }] }), 10],
])("compares no round trips while %s", (_, of, roundTripMs) => {
  expect(Object.keys(valuesOf([of], roundTripMs))).toEqual([
    ...["connectionsLive", "localShareRatio", "sentToOtherNodesPerSecond"],
  ]);
});

it("has no rates of an agent that doesn't report any", () => {
  const { connectionsPerSecond: _, ...older } = service();
  expect(Object.keys(valuesOf([older]))).toEqual(["connectionsLive", "localShareRatio"]);
});
