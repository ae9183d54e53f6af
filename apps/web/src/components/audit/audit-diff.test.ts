import { describe, expect, it } from "vitest";
import { auditDiff } from "./audit-diff.ts";

describe("the diff of an audit entry", () => {
  it.each([
    [
      "lists only changed fields, by path",
      { name: "web", strategy: { type: "ecmp", replicas: 2 }, ports: [{ port: 80 }] },
      { name: "web", strategy: { type: "ecmp", replicas: 3 }, ports: [{ port: 443 }] },
      [
        { path: "strategy.replicas", before: "2", after: "3" },
        { path: "ports[0].port", before: "80", after: "443" },
      ],
    ],
    [
      "shows added and removed fields",
      { labels: { a: "1", b: "2" } },
      { labels: { b: "2", c: "3" } },
      [
        { path: "labels.a", before: "1", after: undefined },
        { path: "labels.c", before: undefined, after: "3" },
      ],
    ],
    [
      "lists a created object in full, including its creation time",
      null,
      { name: "web", createdAt: "2026-11-20", labels: {} },
      [
        { path: "name", before: undefined, after: "web" },
        { path: "createdAt", before: undefined, after: "2026-11-20" },
        { path: "labels", before: undefined, after: "none" },
      ],
    ],
    ["lists a deleted object in full", { name: "web" }, null, [{ path: "name", before: "web", after: undefined }]],
    [
      "writes lists of words in one line",
      { scopes: ["node:read"] },
      { scopes: ["node:read", "node:write"] },
      [{ path: "scopes", before: "node:read", after: "node:read, node:write" }],
    ],
    [
      "distinguishes empty text from none, and null from absent",
      { region: "", expiresAt: null },
      { region: "eu", expiresAt: "2027" },
      [
        { path: "region", before: "“”", after: "eu" },
        { path: "expiresAt", before: "null", after: "2027" },
      ],
    ],
    [
      "omits change counters",
      { name: "a", generation: 1 },
      { name: "b", generation: 2 },
      [{ path: "name", before: "a", after: "b" }],
    ],
    ["is empty if an action has no result", null, null, []],
  ])("%s", (_, before, after, want) => {
    expect(auditDiff(before, after)).toEqual(want);
  });
});
