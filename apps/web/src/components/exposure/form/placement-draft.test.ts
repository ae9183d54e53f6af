import { newId } from "@fairlead/domain";
import { expect, it } from "vitest";
import { checkDraft } from "./check-draft.ts";
import { draftOf } from "./draft.ts";
import { ownShare } from "./placement-draft.ts";
import { clusterId, poolId } from "./testing/filled-draft.ts";

const [west, east] = [newId("cluster"), newId("cluster")];
const workload = { namespace: "default", kind: "deployment" as const, name: "shop" };
const placements = [
  { clusterId, share: 50 },
  { clusterId: west, share: 30, workload: { ...workload, name: "shop-new" } },
  { clusterId: east, share: 20 },
];
const spec = {
  ...{ clusterId, name: "shop", workload, ports: [{ port: 443, protocol: "tcp" as const }], labels: {} },
  ...{ strategy: { type: "ecmp" as const, replicas: 2, poolId }, placements, healthCheck: null },
};

it("keeps the other clusters, their shares and their workloads", () => {
  expect(checkDraft(draftOf(spec)).spec).toEqual(spec);
});

it("gives the exposure's own cluster what the others leave", () => {
  const draft = draftOf(spec);
  const [first, ...others] = draft.placements;
  if (!first) throw new Error("no row");
  const changed = { ...draft, placements: [{ ...first, share: "45" }, ...others] };
  expect(ownShare(changed.placements)).toBe(35);
  expect(checkDraft(changed).spec?.placements?.[0]).toEqual({ clusterId, share: 35 });
});

it.each([
  ["101", "placements.1.share", "Enter a whole number of percent between 0 and 100."],
  ["", "placements.1.share", "Enter a whole number of percent between 0 and 100."],
  ["90", "placements.0.share", "The other shares add up to more than 100 %: lower one."],
])("names the field of the share %j", (share, path, message) => {
  const draft = draftOf(spec);
  const rows = draft.placements.map((row, index) => (index === 0 ? { ...row, share } : row));
  expect(checkDraft({ ...draft, placements: rows }).problems?.[path]).toBe(message);
});

it("of another strategy, ignores the clusters", () => {
  const { spec: other } = checkDraft({ ...draftOf(spec), strategy: "cloud" });
  expect(other && "placements" in other).toBe(false);
});
