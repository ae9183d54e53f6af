import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { decideRap, type RapNode, rapRules } from "./decide-rap.ts";

const node = (cpu: number, memory: number, roundTripMs: number | null): RapNode => ({
  used: { cpu, memory },
  roundTripMs,
});
const none: RapNode = { used: null, roundTripMs: 1 };

it.each<[string, RapNode[], number]>([
  ["requests stay below the threshold", [node(0.89, 0.5, 0), node(0, 0, 1)], 0],
  ["CPU at the threshold moves all", [node(0.9, 0.5, 0), node(0.3, 0.5, 1)], 1],
  ["memory at the threshold moves all", [node(0.1, 0.9, 0), node(0.3, 0.5, 1)], 1],
  ["the nearer of two equal nodes", [node(1, 0.5, 0), node(0.3, 0.5, 9), node(0.3, 0.5, 3)], 2],
  ["a farther node with more free CPU", [node(1, 0.5, 0), node(0.8, 0.5, 8), node(0.1, 0.5, 9)], 2],
  ["an unknown round trip counts as the longest", [node(1, 0.5, 0), node(0.3, 0.5, null), node(0.3, 0.5, 8)], 2],
  ["a node with full memory is no destination", [node(1, 0.5, 0), node(0, 0.95, 1), node(0.8, 0.5, 9)], 2],
  ["requests stay if all nodes are overloaded", [node(1, 0.5, 0), node(0.95, 0.5, 1)], 0],
  ["a node without instances sends all away", [none, node(0.5, 0.5, 1)], 1],
  ["a node without instances is no destination", [node(1, 0.5, 0), none], 0],
])("%s", (_, nodes, want) => {
  expect(decideRap(0, nodes, 9).sendsTo).toBe(want);
});

it("has its threshold as a setting", () => {
  const nodes = [node(0.6, 0.5, 0), node(0.3, 0.5, 1)];
  expect(decideRap(0, nodes, 1).isOverloaded).toBe(false);
  expect(decideRap(0, nodes, 1, { ...rapRules, thresholdPercent: 60 })).toEqual({
    isOverloaded: true,
    best: 1,
    sendsTo: 1,
  });
});

type Golden = {
  entry: number;
  nodes: { cpu: number; ram: number; distance: number; hasBackends: boolean }[];
  farthest: number;
  threshold: number;
  best: number;
  sendsTo: number;
};

it("decides as the subject of the benchmark", () => {
  const file = "../../../../../agents/internal/bench/rap/testdata/decisions.json";
  const all = JSON.parse(readFileSync(path.join(import.meta.dirname, file), "utf8")) as Golden[];
  expect(all.length).toBeGreaterThanOrEqual(200);
  expect(all.filter((each) => each.sendsTo !== each.entry).length).toBeGreaterThan(40);
  for (const { entry, nodes, farthest, threshold, best, sendsTo } of all) {
    const seen = nodes.map(({ cpu, ram, distance, hasBackends }) => ({
      used: hasBackends ? { cpu, memory: ram } : null,
      roundTripMs: distance,
    }));
    const rules = { ...rapRules, thresholdPercent: threshold * 100 };
    const decision = decideRap(entry, seen, farthest, rules);
    expect([decision.best ?? -1, decision.sendsTo], JSON.stringify({ entry, nodes })).toEqual([best, sendsTo]);
  }
});
