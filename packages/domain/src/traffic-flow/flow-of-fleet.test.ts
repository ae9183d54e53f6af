import { expect, it } from "vitest";
import { type FleetFlowRows, type FlowExposure, flowOfFleet } from "./flow-of-fleet.ts";

const node = { id: "node_1", name: "lb-1", replicas: 1, observed: 1, ready: 1, isSilent: false } as const;
const rows: FleetFlowRows = {
  nodes: [{ ...node, throughputBps: 60, dropsPerSecond: null }],
  ...{ exposures: [], carried: [], hops: [], samples: [] },
};
const exposure = (id: string, backends: FlowExposure["backends"]): FlowExposure => ({
  ...{ id, name: id, phase: "serving", backends },
});
const carried = (...exposures: FlowExposure[]) =>
  flowOfFleet({
    ...rows,
    exposures,
    carried: exposures.map(({ id }, i) => ({ exposureId: id, nodeId: "node_1", throughputBps: i + 1 })),
  });
const endsOf = ({ places }: ReturnType<typeof carried>) => places.filter((each) => each.kind === "backends");

it("ends at the backends of each exposure, with how many of them are up", () => {
  const flow = carried(
    exposure("all", { up: 2, total: 2 }),
    exposure("none", { up: 0, total: 2 }),
    exposure("some", { up: 3, total: 4 }),
    exposure("empty", { up: 0, total: 0 }),
    exposure("unseen", null),
  );
  expect(endsOf(flow).map(({ name, state, backends }) => [name, state, backends])).toEqual([
    ["all", "up", { up: 2, total: 2 }],
    ["empty", "pending", { up: 0, total: 0 }],
    ["none", "down", { up: 0, total: 2 }],
    ["some", "degraded", { up: 3, total: 4 }],
  ]);
  expect(flow.links.filter((each) => each.to.startsWith("backends/"))).toEqual([
    { from: "exposure/all", to: "backends/exposure/all", throughputBps: 1 },
    { from: "exposure/empty", to: "backends/exposure/empty", throughputBps: 4 },
    // Packets of clients that reach no backend.
    { from: "exposure/none", to: "backends/exposure/none", throughputBps: null },
    { from: "exposure/some", to: "backends/exposure/some", throughputBps: 3 },
  ]);
});

it("shows the backends of the rest as one place, so that a large fleet stays readable", () => {
  const many = Array.from({ length: 40 }, (_, i) => exposure(`e${i}`, { up: i === 0 ? 1 : 2, total: 2 }));
  const ends = endsOf(carried(...many));
  expect(ends).toHaveLength(8);
  expect(ends.at(-1)).toMatchObject({ id: null, size: 33, state: "degraded", backends: { up: 65, total: 66 } });
});
