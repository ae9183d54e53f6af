import { expect, it } from "vitest";
import { judge, ours, parseLines, type Returned } from "./judge.ts";

const home: Returned = {
  ...{ round: 0, subject: ours, resumption: "TLS 1.3", replicas: 3, changes: "backends" },
  ...{ broken: 0, failed: 0, returns: 100, keptShare: 1 },
};

it("holds the bars of our model only if each return reaches its backend and nothing breaks", () => {
  const missed = (...returned: Returned[]) => judge(returned, 1).filter((row) => row.holds === false);
  expect(missed(home)).toEqual([]);
  expect(missed({ ...home, keptShare: 0.99 }).map((row) => row.metric)).toEqual([
    "returns at their backend, TLS 1.3, 3 replicas, changes of backends",
  ]);
  expect(missed({ ...home, broken: 1 })).toHaveLength(1);
  expect(missed({ ...home, returns: 0 })).toHaveLength(1);
  expect(missed(home, { ...home, subject: "TLS session table", keptShare: 0.1, broken: 9 })).toEqual([]);
  expect(missed({ ...home, resumption: "TLS 1.3, unnamed keys", keptShare: 0.3 })).toEqual([]);
});

it("rejects lines that it doesn't know", () => {
  expect(parseLines(`${JSON.stringify({ returned: home })}\n`)).toEqual([home]);
  expect(() => parseLines('{"churned":{}}')).toThrow(/Unknown line/);
});
