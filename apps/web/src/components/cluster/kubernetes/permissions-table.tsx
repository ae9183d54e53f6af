"use client";
import type { KubernetesPermissionSeen } from "@fairlead/domain/kubernetes";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import type { StatusLook } from "@/components/ui/status/status.ts";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { groupPermissions, type PermissionRow } from "./group-permissions.ts";

const looks: Record<PermissionRow["state"], StatusLook> = {
  granted: { word: "Granted", shape: "disc", tone: "good" },
  missing: { word: "Missing", shape: "square", tone: "bad" },
  optional: { word: "Not granted", shape: "ring", tone: "silent" },
};

/** The permissions that Fairlead needs in a cluster and their state, missing ones first. */
export function PermissionsTable({ permissions }: { permissions: readonly KubernetesPermissionSeen[] }) {
  return (
    <RowsTable<PermissionRow>
      label="Permissions"
      rows={groupPermissions(permissions)}
      stacks
      rowKey={({ resource, why, state }) => `${resource} ${why} ${state}`}
      empty="Permissions appear once the API responds."
      columns={[
        { label: "Resource", cell: ({ resource }) => <span className="font-mono text-xs">{resource}</span> },
        { label: "Verbs", cell: ({ verbs }) => verbs.join(", ") },
        { label: "State", cell: ({ state }) => <StatusBadge status={looks[state]} /> },
        { label: "Reason", wraps: true, cell: ({ why }) => why },
      ]}
    />
  );
}
