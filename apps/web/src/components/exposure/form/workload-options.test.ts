import type { InventoryItem } from "@fairlead/domain/cluster";
import { expect, it } from "vitest";
import { checkWorkload } from "./check-draft.ts";
import { emptyDraft } from "./draft.ts";
import { isChosen, optionsOfInstances, optionsOfInventory, suggest } from "./workload-options.ts";

const item = (kind: InventoryItem["kind"], namespace: string, name: string) =>
  ({ kind, namespace, name, ready: 2, desired: 3 }) as InventoryItem;
const options = optionsOfInventory([
  item("deployment", "shop", "web"),
  item("stateful-set", "shop", "db"),
  item("service", "shop", "ingress"),
  item("daemon-set", "system", "web"),
]);
const named = (workloadName: string) => ({ namespace: "shop", workloadKind: "deployment" as const, workloadName });

it("lists the workloads of an inventory, with namespace, kind and readiness", () => {
  expect(options).toMatchObject([
    { label: "shop/web", detail: "Deployment · 2 of 3 ready", choice: named("web") },
    { label: "shop/db", detail: "StatefulSet · 2 of 3 ready" },
    { label: "system/web", detail: "DaemonSet · 2 of 3 ready" },
  ]);
  expect(new Set(options.map(({ key }) => key)).size).toBe(3);
});

it("groups instances by the workload that agents report, in each of its spellings", () => {
  const of = (workload: string, ready = true) => ({ workload, ready });
  const reported = [of("web"), of("web", false), of("shop/cache"), of("stateful-set shop/db"), of("not a workload")];
  expect(optionsOfInstances(reported)).toMatchObject([
    { label: "default/web", detail: "1 of 2 ready", choice: { workloadKind: "deployment", namespace: "default" } },
    { label: "shop/cache", detail: "1 of 1 ready" },
    { label: "shop/db", choice: { workloadKind: "stateful-set", namespace: "shop", workloadName: "db" } },
  ]);
});

it.each([
  ["", ["shop/web", "shop/db", "system/web"]],
  ["we", ["shop/web", "system/web"]],
  ["shop/", ["shop/web", "shop/db"]],
  ["nothing", []],
])("suggests what contains the typed text: %j", (typed, want) => {
  expect(suggest(options, named(typed)).map(({ label }) => label)).toEqual(want);
});

it("suggests everything again once a workload is selected, so that another one can be", () => {
  expect(suggest(options, named("web"))).toHaveLength(3);
  expect(options.filter((option) => isChosen(option, named(" web ")))).toHaveLength(1);
});

it("has a workload as soon as its fields are complete, whatever else is missing", () => {
  expect(checkWorkload({ ...emptyDraft(), workloadName: "web" })).toEqual({
    namespace: "default",
    kind: "deployment",
    name: "web",
  });
  expect(checkWorkload(emptyDraft())).toBeNull();
  expect(checkWorkload({ ...emptyDraft(), workloadKind: "selector" })).toBeNull();
});
