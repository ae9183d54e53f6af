import { expect, it } from "vitest";
import { groupPermissions } from "./group-permissions.ts";

it("groups permissions by resource, missing ones first, optional ones next", () => {
  const seen = (resource: string, verb: string, granted: boolean, required = true) => ({
    resource,
    verb,
    granted,
    required,
    namespace: null,
    why: `why ${resource}`,
  });
  expect(
    groupPermissions([
      seen("pods", "get", true),
      seen("pods", "list", true),
      seen("pods", "watch", false),
      seen("configmaps", "create", false, false),
    ]),
  ).toEqual([
    { resource: "pods", verbs: ["watch"], why: "why pods", state: "missing" },
    { resource: "configmaps", verbs: ["create"], why: "why configmaps", state: "optional" },
    { resource: "pods", verbs: ["get", "list"], why: "why pods", state: "granted" },
  ]);
});
