import { describe, expect, it } from "vitest";
import { attentionKindNames, attentionKinds } from "./kinds.ts";
import { byUrgency, type FoundProblem, toAttention } from "./to-attention.ts";

const found: FoundProblem = {
  ...{ id: "exp_1", kind: "exposure-no-agents", message: "It waits.", since: new Date(1_000) },
  ...{ subjectId: "exp_1", subjectName: "web", clusterId: "clu_1", clusterName: "lab" },
};

describe("the catalogue", () => {
  it("has the problems before the warnings, because a summary names the first", () => {
    const severities = attentionKindNames.map((kind) => attentionKinds[kind].severity);
    expect(severities).toEqual(severities.toSorted());
  });

  it("has one word for each kind", () => {
    const words = attentionKindNames.map((kind) => attentionKinds[kind].word);
    expect(new Set(words).size).toBe(words.length);
  });
});

describe("a problem", () => {
  it("gets severity, words and action from its kind", () => {
    const { kind, message, since, subjectId, subjectName, clusterId, clusterName } = found;
    expect(toAttention(found, () => true)).toEqual({
      ...{ id: "exposure-no-agents:exp_1", kind, message, since },
      ...{ severity: "problem", word: "No agents", subjectKind: "exposure" },
      ...{ subjectId, subjectName, clusterId, clusterName },
      action: { label: "Add node", path: "/nodes?add=true&cluster=clu_1" },
    });
  });

  it("has no action for those who may not take it", () => {
    expect(toAttention(found, (permission) => permission !== "node:write").action).toBeNull();
  });
});

it("sorts problems before warnings, then the newest first", () => {
  const at = (id: string, kind: FoundProblem["kind"], ms: number) =>
    toAttention({ ...found, id, kind, since: new Date(ms) }, () => true);
  const all = [
    at("a", "pool-full", 9),
    at("b", "node-silent", 1),
    at("c", "exposure-failed", 2),
    at("d", "pool-full", 9),
  ];
  expect(
    all
      .toReversed()
      .sort(byUrgency)
      .map(({ id }) => id),
  ).toEqual(["exposure-failed:c", "node-silent:b", "pool-full:a", "pool-full:d"]);
});
