"use client";
import type { ApiKey } from "@fairlead/domain/access";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import type { StatusLook } from "@/components/ui/status/status.ts";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { Until } from "@/components/ui/time/until.tsx";
import { count, countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { ListProblem } from "./list-problem.tsx";
import { RevokeKey } from "./revoke-key.tsx";

const looks: Record<ApiKey["state"], StatusLook> = {
  active: { word: "Active", shape: "disc", tone: "good" },
  expired: { word: "Expired", shape: "ring", tone: "silent" },
  revoked: { word: "Revoked", shape: "cross", tone: "bad" },
};

export const keysInput = { limit: 200 };

/** The API keys: their permissions and their last use. */
export function ApiKeysTable() {
  const trpc = useTRPC();
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const query = useQuery(trpc.apiKey.list.queryOptions(keysInput));
  if (query.error && !query.data) return <ListProblem error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <>
      <RowsTable<ApiKey>
        label="API keys"
        rows={query.data?.items}
        stacks
        rowKey={(key) => key.id}
        empty="No API keys. Programs send a key to the API as a bearer token. Create one."
        columns={[
          { label: "Name", cell: (key) => <span className="font-medium">{key.name}</span> },
          { label: "State", cell: (key) => <StatusBadge status={looks[key.state]} /> },
          {
            label: "Key",
            cell: (key) => (
              <Mono copy={false} className="text-muted">
                {`${key.start}…`}
              </Mono>
            ),
          },
          { label: "Role", cell: (key) => key.role },
          {
            label: "Scopes",
            cell: (key) => (
              <span title={key.scopes.join(", ")}>
                {key.scopes.length <= 2 ? key.scopes.join(", ") : countOf(key.scopes.length, "scope")}
              </span>
            ),
          },
          {
            label: "Limit",
            align: "end",
            cell: (key) => `${count(key.requestsPerMinute)}/min`,
          },
          { label: "Last used", cell: (key) => <Age at={key.lastUsedAt} /> },
          {
            label: "Expires",
            cell: (key) =>
              key.expiresAt ? <Until at={key.expiresAt} past="expired" warnMs={7 * 86_400_000} /> : "never",
          },
          {
            label: "Created by",
            cell: (key) => (
              <>
                {key.createdBy}, <Age at={key.createdAt} />
              </>
            ),
          },
          {
            label: "Action",
            hidesLabel: true,
            align: "end",
            cell: (key) =>
              key.state === "active" ? (
                <GuardedButton permission="key:write" size="sm" variant="quiet" onClick={() => setRevoking(key)}>
                  Revoke
                </GuardedButton>
              ) : null,
          },
        ]}
      />
      <RevokeKey apiKey={revoking} onClose={() => setRevoking(null)} />
    </>
  );
}
