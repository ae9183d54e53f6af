import { type ExposureDraft, emptyDraft, exposureDraft } from "./draft.ts";

type Asked = Partial<Record<"cluster" | "kind" | "namespace" | "name", unknown>>;

/** draftFor begins a wish with what a link says of it: a cluster, or a workload in it. What makes no sense is left out. */
export function draftFor({ cluster, kind, namespace, name }: Asked): { draft: ExposureDraft; isFilled: boolean } {
  const draft = emptyDraft(text(cluster));
  const workloadKind = exposureDraft.shape.workloadKind.exclude(["selector"]).safeParse(kind);
  if (!workloadKind.success || !text(name)) return { draft, isFilled: false };
  return {
    draft: {
      ...draft,
      workloadKind: workloadKind.data,
      namespace: text(namespace) || draft.namespace,
      workloadName: text(name),
      name: text(name).slice(0, 63),
      // Who keeps state is reached one by one; the others are all the same to a client.
      strategy: workloadKind.data === "stateful-set" ? "per-replica" : draft.strategy,
    },
    isFilled: true,
  };
}

function text(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 253) : "";
}
