import { expect, it } from "vitest";
import { differences } from "./differences.ts";

it.each<[string, unknown, unknown, string[]]>([
  ["nothing, whatever is there besides", { a: 1, b: { c: "x" } }, { a: 1, b: { c: "x", d: 2 }, e: 3 }, []],
  ["a field by its way to it", { a: { b: { c: 1 } } }, { a: { b: { c: 2 } } }, ["a.b.c"]],
  ["every field", { a: 1, b: 2 }, { a: 2, b: 3 }, ["a", "b"]],
  ["a field that is not there", { a: { b: 1 } }, {}, ["a.b"]],
  ["a list once, by its length", { ports: [{ port: 1 }] }, { ports: [{ port: 1 }, { port: 2 }] }, ["ports"]],
  [
    "a list once, by what is in it",
    { ports: [{ port: 1, name: "a" }] },
    { ports: [{ port: 2, name: "b" }] },
    ["ports"],
  ],
  [
    "nothing of lists whose members have more",
    { ports: [{ port: 1 }] },
    { ports: [{ port: 1, nodePort: 30_000 }] },
    [],
  ],
  ["nothing where no is said by silence", { a: false }, {}, []],
  ["what is wanted empty and isn't", { list: [] }, { list: [1] }, ["list"]],
])("finds %s", (_, wanted, there, found) => {
  expect(differences(wanted, there)).toEqual(found);
});
