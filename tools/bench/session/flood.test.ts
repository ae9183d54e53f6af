import { expect, it } from "vitest";
import { lacking } from "../result.ts";
import { explainFloods, judgeFloods } from "./flood.ts";
import type { Flooded, Returned } from "./measured.ts";

const home: Returned = {
  ...{ resumption: "1.3", family: 4, timestamps: true, helloPackets: 1, change: "none" },
  ...{ connections: 120, requests: 360, broken: 0, returns: 100, resumed: 100, sameBackend: 100 },
  ...{ gone: 0, goneResumed: 0, between: 0, unoffered: 0, seconds: 1 },
};
const use = { process: "replica", map: "connections", kind: "LRUHash", most: 100, before: 1, during: 5, after: 3 };
const flood: Flooded = {
  ...{ service: "tcx by session", rate: 120_000, sent: 119_000, arrived: 118_000 },
  ...{ quiet: home, under: home, maps: [use] },
};
const plain: Flooded = { ...flood, service: "tcx direct", under: { ...home, sameBackend: 30 } };
const missed = (...floods: Flooded[]) =>
  judgeFloods(floods, 100_000)
    .filter((row) => row.holds === false)
    .map((row) => row.metric);

it("holds the bars if the flood is fast enough, nothing breaks, clients return and no map is full", () => {
  expect(missed(flood, plain)).toEqual([]);
  expect(judgeFloods([], 0)).toEqual([]);
});

it("misses a bar for one broken request, one return elsewhere, and a full map", () => {
  expect(missed({ ...flood, under: { ...home, broken: 1 } }, plain)).toEqual(["requests broken under the flood"]);
  expect(missed({ ...flood, under: { ...home, sameBackend: 99 } }, plain)).toEqual([
    "returns that didn't resume at their backend under the flood",
  ]);
  expect(missed(flood, { ...plain, under: { ...home, broken: 1 } })).toEqual(["requests broken under the flood"]);
  expect(missed({ ...flood, maps: [{ ...use, during: 91 }] }, plain)).toEqual([
    "entries before, during and after, replica's map connections of 100",
  ]);
});

it("fails a smoke run for a broken request or a return elsewhere, not for a full map", () => {
  const lacks = (under: Partial<Returned>, during = 5) =>
    lacking(judgeFloods([{ ...flood, under: { ...home, ...under }, maps: [{ ...use, during }] }, plain], 1));
  expect(lacks({}, 91)).toEqual([]);
  expect(lacks({ broken: 1 })).toEqual([
    "SYN flood on tcx by session, requests broken under the flood: 1, and not max == 0",
  ]);
  expect(lacks({ sameBackend: 99 })).toHaveLength(1);
});

it("is void below the least rate: then only the rate has a bar", () => {
  const slow = {
    ...flood,
    arrived: 99_000,
    under: { ...home, broken: 1, sameBackend: 1 },
    maps: [{ ...use, during: 99 }],
  };
  expect(missed(slow, plain)).toEqual(["SYNs that arrived at the replica"]);
  expect(explainFloods([slow, plain], 100_000)).toEqual([
    "SYN flood on tcx by session: entries of maps before → during → after it: replica connections 1 → 99 → 3 of 100; the other maps are empty",
    "SYN flood on tcx by session is void: 99000 SYNs arrived each second, of 100000 that are needed",
    "SYN flood on tcx by session: 1 requests broke: closed while idle, or not sent",
    "SYN flood on tcx direct: entries of maps before → during → after it: replica connections 1 → 5 → 3 of 100; the other maps are empty",
  ]);
});

it("requires both services", () => {
  expect(missed(flood)).toEqual(["times it was measured"]);
});
