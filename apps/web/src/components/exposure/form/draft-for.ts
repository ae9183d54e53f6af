import type { CreateExposure } from "@fairlead/domain/exposure";
import { draftOf, type ExposureDraft, emptyDraft, exposureDraft } from "./draft.ts";

type LinkParams = Partial<Record<"cluster" | "kind" | "namespace" | "name", unknown>>;

/** What a link fills in: at most the cluster, a workload in it, or everything, as in a copy of another exposure. */
export type Prefilled = { draft: ExposureDraft; fills: "cluster" | "workload" | "everything" };

/** draftFor starts a spec from the parameters of a link: a cluster, or a workload in it. Invalid ones are ignored. */
export function draftFor({ cluster, kind, namespace, name }: LinkParams): Prefilled {
  const draft = emptyDraft(text(cluster));
  const workloadKind = exposureDraft.shape.workloadKind.exclude(["selector"]).safeParse(kind);
  if (!workloadKind.success || !text(name)) return { draft, fills: "cluster" };
  return {
    draft: {
      ...draft,
      workloadKind: workloadKind.data,
      namespace: text(namespace) || draft.namespace,
      workloadName: text(name),
      name: text(name).slice(0, 63),
      // Instances of a stateful workload need an address each. Other instances are interchangeable.
      strategy: workloadKind.data === "stateful-set" ? "per-replica" : draft.strategy,
    },
    fills: "workload",
  };
}

/** draftFrom starts a spec from an existing exposure. Its name is free to choose, since names are unique in a cluster. */
export function draftFrom(exposure: CreateExposure): Prefilled {
  return { draft: { ...draftOf(exposure), name: "" }, fills: "everything" };
}

function text(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 253) : "";
}
