import type { Attention, AttentionKind } from "@fairlead/domain/attention";
import { expect, it } from "vitest";
import { groupAttention } from "./group-attention.ts";

const item = (kind: AttentionKind, name: string): Attention => ({
  ...{ id: `${kind}:${name}`, kind, severity: "problem", word: "", message: "", since: new Date(0) },
  ...{ subjectKind: "node", subjectId: name, subjectName: name, clusterId: null, clusterName: null, action: null },
});

it("groups by kind, in the order of the first of each, with the number of all", () => {
  const items = [item("node-silent", "a"), item("exposure-failed", "b"), item("node-silent", "c")];
  const counts = [
    { kind: "exposure-failed", severity: "problem", count: 1 },
    { kind: "node-silent", severity: "problem", count: 300 },
  ] as const;
  const groups = groupAttention({ items, counts: [...counts] });
  expect(
    groups.map(({ kind, total, list, items }) => [kind, total, list, items.map((each) => each.subjectName)]),
  ).toEqual([
    ["node-silent", 300, "/nodes?state=silent", ["a", "c"]],
    ["exposure-failed", 1, "/exposures?phase=failed", ["b"]],
  ]);
});
