import { expect, it } from "vitest";
import type { ExposureDraft } from "./draft.ts";
import { draftFor, type Prefilled } from "./draft-for.ts";
import { mergeStored, readStoredDraft, storeDraft } from "./stored-draft.ts";
import { clusterId, filled } from "./testing/filled-draft.ts";

it.each<[string, Prefilled, Partial<ExposureDraft>]>([
  ["as it was, without a link", draftFor({}), {}],
  ["as it was, for its own cluster", draftFor({ cluster: clusterId }), {}],
  [
    "in the cluster of the link, whose pools are others",
    draftFor({ cluster: "clu_2" }),
    { clusterId: "clu_2", poolId: "" },
  ],
  [
    "as it was, for its own workload",
    draftFor({ cluster: clusterId, kind: "deployment", namespace: "default", name: "shop-web" }),
    {},
  ],
])("restores stored input %s", (_, link, change) => {
  expect(mergeStored(filled(), link)).toEqual({ restored: true, draft: filled(change) });
});

it.each<[string, Prefilled]>([
  ["another workload", draftFor({ cluster: clusterId, kind: "deployment", namespace: "default", name: "api" })],
  ["the workload's name in another cluster", draftFor({ cluster: "clu_2", kind: "deployment", name: "shop-web" })],
  ["a copy of an exposure", { draft: filled({ name: "" }), fills: "everything" }],
])("only offers stored input if the link is for %s", (_, link) => {
  expect(mergeStored(filled(), link)).toEqual({ restored: false, draft: filled() });
});

it("keeps a draft across a reload, and drops one with another format", () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  storeDraft(storage, filled());
  expect(readStoredDraft(storage)).toEqual(filled());
  for (const key of kept.keys()) kept.set(key, '{"name":7}');
  expect(readStoredDraft(storage)).toBeNull();
  storeDraft(storage, null);
  expect(readStoredDraft(storage)).toBeNull();
});
