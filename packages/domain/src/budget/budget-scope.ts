import { z } from "zod";
import { idOf } from "../id.ts";
import { plainText } from "../plain-text.ts";

export const scopeTypes = ["organization", "cluster", "label"] as const;

const organization = z.strictObject({ type: z.literal("organization") }).meta({ id: "OrganizationScope" });
const cluster = z.strictObject({ type: z.literal("cluster"), clusterId: idOf("cluster") }).meta({ id: "ClusterScope" });
const label = z
  .strictObject({
    type: z.literal("label"),
    key: plainText(63).min(1, "enter a label of exposures, such as team"),
    value: plainText(63),
  })
  .meta({ id: "LabelScope" });

/** BudgetScope is which load balancers a budget is for. Labels are those of their exposures. */
export const budgetScope = z.discriminatedUnion("type", [organization, cluster, label]).meta({ id: "BudgetScope" });
export type BudgetScope = z.infer<typeof budgetScope>;

/** ScopedBalancer is what a scope looks at. */
export type ScopedBalancer = { clusterId: string; facts: { labels: Record<string, string> } };

/** isInScope reports whether a budget is for a load balancer. */
export function isInScope(scope: BudgetScope, { clusterId, facts: { labels } }: ScopedBalancer): boolean {
  switch (scope.type) {
    case "organization":
      return true;
    case "cluster":
      return clusterId === scope.clusterId;
    case "label":
      return Object.hasOwn(labels, scope.key) && labels[scope.key] === scope.value;
    default:
      return scope satisfies never;
  }
}
