import { expect, it } from "vitest";
import { differences } from "./differences.ts";

it.each<[string, unknown, unknown, string[]]>([
  ["nothing if there are additional fields", { a: 1, b: { c: "x" } }, { a: 1, b: { c: "x", d: 2 }, e: 3 }, []],
  ["a field by its path", { a: { b: { c: 1 } } }, { a: { b: { c: 2 } } }, ["a.b.c"]],
  ["every field", { a: 1, b: 2 }, { a: 2, b: 3 }, ["a", "b"]],
  ["a missing field", { a: { b: 1 } }, {}, ["a.b"]],
  ["a list once, if its length differs", { ports: [{ port: 1 }] }, { ports: [{ port: 1 }, { port: 2 }] }, ["ports"]],
  [
    "a list once, if its items differ",
    { ports: [{ port: 1, name: "a" }] },
    { ports: [{ port: 2, name: "b" }] },
    ["ports"],
  ],
  [
    "nothing if list items have additional fields",
    { ports: [{ port: 1 }] },
    { ports: [{ port: 1, nodePort: 30_000 }] },
    [],
  ],
  ["nothing if false is omitted", { a: false }, {}, []],
  ["a list that should be empty", { list: [] }, { list: [1] }, ["list"]],
])("finds %s", (_, wanted, there, found) => {
  expect(differences(wanted, there)).toEqual(found);
});
