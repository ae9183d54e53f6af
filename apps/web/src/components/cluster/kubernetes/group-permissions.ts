import type { KubernetesPermissionSeen } from "@fairlead/domain/kubernetes";

export type PermissionRow = {
  resource: string;
  verbs: string[];
  why: string;
  /** optional: not granted, and not required. */
  state: "granted" | "missing" | "optional";
};

const rank: Record<PermissionRow["state"], number> = { missing: 0, optional: 1, granted: 2 };

/** groupPermissions merges the verbs of one resource with the same state into one row, missing ones first. */
export function groupPermissions(permissions: readonly KubernetesPermissionSeen[]): PermissionRow[] {
  const rows = new Map<string, PermissionRow>();
  for (const { resource, verb, why, granted, required } of permissions) {
    const state = granted ? "granted" : required ? "missing" : "optional";
    const key = [resource, why, state].join("\n");
    const row = rows.get(key) ?? { resource, verbs: [], why, state };
    row.verbs.push(verb);
    rows.set(key, row);
  }
  return [...rows.values()].sort((a, b) => rank[a.state] - rank[b.state]);
}
