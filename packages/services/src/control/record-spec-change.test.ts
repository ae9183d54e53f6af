import { expect, it } from "vitest";
import { changedFields } from "./record-spec-change.ts";

it.each<[string, object, object, string[]]>([
  ["nothing", { name: "shop", ports: [1] }, { name: "shop", ports: [1] }, []],
  ["a field", { name: "shop", labels: {} }, { name: "store", labels: {} }, ["name"]],
  ["a list as a whole", { ports: [{ port: 80 }] }, { ports: [{ port: 81 }] }, ["ports"]],
  [
    "fields of an object",
    { strategy: { a: 1, b: 2 } },
    { strategy: { a: 1, b: 3, c: 4 } },
    ["strategy.b", "strategy.c"],
  ],
  ["an object that is new", { healthCheck: null }, { healthCheck: { type: "tcp" } }, ["healthCheck"]],
  ["a secret that is new", {}, { routingPassword: "changed" }, ["routingPassword"]],
])("names %s", (_, before, after, want) => {
  expect(changedFields(before, after)).toEqual(want);
});
