"use client";
import type { KubernetesPermissionSeen } from "@fairlead/domain";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import type { StatusLook } from "@/components/ui/status.ts";
import { StatusBadge } from "@/components/ui/status-badge.tsx";
import { groupPermissions, type PermissionRow } from "./group-permissions.ts";

const looks: Record<PermissionRow["stand"], StatusLook> = {
  granted: { word: "Granted", shape: "disc", tone: "good" },
  missing: { word: "Missing", shape: "square", tone: "bad" },
  optional: { word: "Not granted", shape: "ring", tone: "silent" },
};

/** What a cluster's API allows of what Fairlead needs, what is missing first. */
export function PermissionsTable({ permissions }: { permissions: readonly KubernetesPermissionSeen[] }) {
  return (
    <RowsTable<PermissionRow>
      label="Permissions"
      rows={groupPermissions(permissions)}
      stacks
      rowKey={({ resource, why, stand }) => `${resource} ${why} ${stand}`}
      empty="What it allows is asked as soon as it answers."
      columns={[
        { label: "Resource", cell: ({ resource }) => <span className="font-mono text-xs">{resource}</span> },
        { label: "Verbs", cell: ({ verbs }) => verbs.join(", ") },
        { label: "State", cell: ({ stand }) => <StatusBadge status={looks[stand]} /> },
        { label: "Why", wraps: true, cell: ({ why }) => why },
      ]}
    />
  );
}
