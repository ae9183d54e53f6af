import { expect, it } from "vitest";
import { emptyDraft } from "./draft.ts";
import { draftFor, draftFrom } from "./draft-for.ts";

it("starts with the cluster of a link", () => {
  expect(draftFor({ cluster: "clu_1" })).toEqual({ draft: emptyDraft("clu_1"), fills: "cluster" });
});

it("starts with the workload of a link, and the usual strategy of its kind", () => {
  const params = { cluster: "clu_1", kind: "stateful-set", namespace: "shop", name: "redis" };
  expect(draftFor(params)).toEqual({
    draft: {
      ...emptyDraft("clu_1"),
      ...{ workloadKind: "stateful-set", namespace: "shop", workloadName: "redis", name: "redis" },
      strategy: "per-replica",
    },
    fills: "workload",
  });
  expect(draftFor({ ...params, kind: "deployment" }).draft.strategy).toBe("ecmp");
});

it.each([{ kind: "pod" }, { kind: ["deployment"] }, { name: "" }, { name: undefined }])(
  "ignores invalid parameters: %o",
  (change) => {
    const params = { cluster: "clu_1", kind: "deployment", namespace: "shop", name: "web", ...change };
    expect(draftFor(params)).toEqual({ draft: emptyDraft("clu_1"), fills: "cluster" });
  },
);

it("starts with everything of another exposure but its name", () => {
  const { draft, fills } = draftFrom({
    clusterId: "clu_1",
    name: "shop",
    workload: { namespace: "shop", kind: "deployment", name: "web" },
    ports: [{ port: 443, targetPort: 8443, protocol: "tcp" }],
    strategy: { type: "ecmp", replicas: 3, poolId: "pool_1" },
    labels: { team: "checkout" },
  });
  expect(fills).toBe("everything");
  expect(draft).toMatchObject({ clusterId: "clu_1", name: "", workloadName: "web", replicas: "3", poolId: "pool_1" });
  expect(draft.ports).toMatchObject([{ port: "443", targetPort: "8443" }]);
  expect(draft.labels).toMatchObject([{ name: "team", value: "checkout" }]);
});
