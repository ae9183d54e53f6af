import { expect, it } from "vitest";
import { newId } from "../id-text.ts";
import { createExposure } from "./exposure.ts";
import type { Placement } from "./placement.ts";

const [own, west, east] = [newId("cluster"), newId("cluster"), newId("cluster")];
const base = {
  clusterId: own,
  name: "shop",
  workload: { kind: "deployment", name: "shop" },
  ports: [{ port: 443 }],
  strategy: { type: "ecmp", poolId: newId("addressPool") },
};

function problemsOf(placements: Partial<Placement>[], other: object = {}): string[] {
  const parsed = createExposure.safeParse({ ...base, ...other, placements });
  return (parsed.error?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`);
}

it("accepts shares that add up, or none", () => {
  expect(problemsOf([])).toEqual([]);
  expect(
    problemsOf([
      { clusterId: own, share: 50 },
      { clusterId: west, share: 30 },
      { clusterId: east, share: 20 },
    ]),
  ).toEqual([]);
});

it("accepts clusters that stand by, also its own", () => {
  const shares = ([one, other, third]: number[]) =>
    problemsOf([
      { clusterId: own, share: one },
      { clusterId: west, share: other },
      { clusterId: east, share: third },
    ] as Placement[]);
  expect([shares([100, 0, 0]), shares([0, 0, 100]), shares([60, 40, 0])]).toEqual([[], [], []]);
});

it.each([
  [
    "too little",
    [
      [own, 50],
      [west, 40],
    ],
    "placements: the shares add up to 90 %, and must add up to 100 %: raise one by 10 %",
  ],
  [
    "too much",
    [
      [own, 50],
      [west, 70],
    ],
    "placements: the shares add up to 120 %, and must add up to 100 %: lower one by 20 %",
  ],
  [
    "without its own cluster",
    [
      [east, 50],
      [west, 50],
    ],
    "placements: the exposure's own cluster is missing: list it with its share",
  ],
  [
    "a cluster twice",
    [
      [own, 50],
      [west, 25],
      [west, 25],
    ],
    "placements.2.clusterId: this cluster is listed twice: remove one",
  ],
  [
    "its own cluster alone",
    [[own, 99]],
    "placements: one cluster needs no shares: list another one, or leave them out",
  ],
  [
    "a share below nothing",
    [
      [own, 101],
      [west, -1],
    ],
    "placements.0.share: 100 % at most",
  ],
  [
    "half a percent",
    [
      [own, 99],
      [west, 0.5],
    ],
    "placements.1.share: enter a whole number of percent",
  ],
] as [string, [string, number][], string][])("rejects %s", (_, shares, problem) => {
  expect(problemsOf(shares.map(([clusterId, share]) => ({ clusterId, share }) as Placement))[0]).toBe(problem);
});

it("rejects other strategies, and another workload in its own cluster", () => {
  const placements = [
    { clusterId: own, share: 50 },
    { clusterId: west, share: 50 },
  ] as Placement[];
  const strategy = { type: "cloud", provider: "aws" };
  expect(problemsOf(placements, { strategy })).toEqual([
    "placements: only the strategy ecmp spans clusters, not cloud: leave them out",
  ]);
  const workload = { namespace: "default", kind: "deployment", name: "other" } as const;
  expect(problemsOf(placements.map((each) => ({ ...each, workload })))).toEqual([
    "placements.0.workload: its own cluster has the exposure's workload: leave it out",
  ]);
});
