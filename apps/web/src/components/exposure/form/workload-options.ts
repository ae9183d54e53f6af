import type { InventoryItem } from "@fairlead/domain/cluster";
import type { Instance } from "@fairlead/domain/instance";
import type { ComboboxOption } from "@/components/ui/form/combobox.tsx";
import { kindWords } from "../../cluster/kubernetes/inventory-parts.ts";
import type { ExposureDraft } from "./draft.ts";

/** WorkloadChoice is the part of a draft that a workload fills in. */
export type WorkloadChoice = Pick<ExposureDraft, "namespace" | "workloadKind" | "workloadName">;
export type WorkloadOption = ComboboxOption & { choice: WorkloadChoice };

export const workloadKinds = ["deployment", "stateful-set", "daemon-set"] as const;

/** optionsOfInventory lists the workloads of a Kubernetes cluster. */
export function optionsOfInventory(items: readonly InventoryItem[]): WorkloadOption[] {
  return items.flatMap(({ kind, namespace, name, ready, desired }) => {
    const workloadKind = workloadKinds.find((each) => each === kind);
    if (!workloadKind) return [];
    return [
      optionOf({ namespace, workloadKind, workloadName: name }, `${kindWords[kind]} · ${ready} of ${desired} ready`),
    ];
  });
}

const reported = /^(?:(?<kind>[a-z-]+) )?(?:(?<namespace>[^/ ]+)\/)?(?<name>[^/ ]+)$/;

/** optionsOfInstances lists the workloads of the instances that agents report. Their kind is unknown, and any fits. */
export function optionsOfInstances(instances: readonly Pick<Instance, "workload" | "ready">[]): WorkloadOption[] {
  const groups = Map.groupBy(instances, ({ workload }) => workload);
  return [...groups].flatMap(([workload, each]) => {
    const { kind, namespace = "default", name } = reported.exec(workload)?.groups ?? {};
    if (name === undefined) return [];
    const workloadKind = workloadKinds.find((known) => known === kind) ?? "deployment";
    const ready = each.filter((instance) => instance.ready).length;
    return [optionOf({ namespace, workloadKind, workloadName: name }, `${ready} of ${each.length} ready`)];
  });
}

function optionOf(choice: WorkloadChoice, detail: string): WorkloadOption {
  const label = `${choice.namespace}/${choice.workloadName}`;
  return { key: `${choice.workloadKind} ${label}`, label, detail, choice };
}

/** isChosen reports whether a draft names the workload of an option. */
export function isChosen({ choice }: WorkloadOption, draft: WorkloadChoice): boolean {
  return (
    choice.workloadName === draft.workloadName.trim() &&
    choice.namespace === draft.namespace.trim() &&
    choice.workloadKind === draft.workloadKind
  );
}

const mostShown = 50;

/** suggest returns the options that contain the typed name; all of them for a workload that was selected. */
export function suggest(options: readonly WorkloadOption[], draft: WorkloadChoice): WorkloadOption[] {
  const typed = draft.workloadName.trim();
  const isSelected = options.some((option) => isChosen(option, draft));
  return options.filter(({ label }) => isSelected || label.includes(typed)).slice(0, mostShown);
}
