"use client";
import type { Cluster, EnrollmentToken } from "@fairlead/domain";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Age } from "@/components/ui/age.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { notify } from "@/components/ui/notices.tsx";
import { Section } from "@/components/ui/section.tsx";
import { Until } from "@/components/ui/until.tsx";
import { count, countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";

/** Tokens that are good for many nodes, for as long as they last: who holds one may join. */
export function ClusterTokens({ cluster }: { cluster: Cluster }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [going, setGoing] = useState<EnrollmentToken | null>(null);
  const query = useQuery(trpc.enrollmentToken.list.queryOptions({ clusterId: cluster.id, reusable: true, limit: 200 }));
  const remove = useMutation(trpc.enrollmentToken.delete.mutationOptions());
  const tokens = query.data?.items ?? [];
  if (tokens.length === 0) return null;
  return (
    <Section title="Tokens for many nodes" hint="whoever holds one may join this cluster">
      <RowsTable<EnrollmentToken>
        label="Tokens for many nodes"
        rows={tokens}
        stacks
        rowKey={({ id }) => id}
        empty=""
        columns={[
          { label: "Made by", cell: ({ createdBy }) => <span className="font-medium">{createdBy}</span> },
          { label: "For", cell: ({ roles }) => (roles.length > 0 ? roles.join(", ") : "any role") },
          { label: "Made", cell: ({ createdAt }) => <Age at={createdAt} /> },
          { label: "Lasts", cell: ({ expiresAt }) => <Until at={expiresAt} past="it has expired" /> },
          { label: "Agents joined", align: "end", cell: ({ uses }) => count(uses) },
          {
            label: "Last",
            align: "end",
            cell: ({ usedAt }) => (usedAt ? <Age at={usedAt} /> : <span className="text-muted">never</span>),
          },
          {
            label: "Actions",
            hidesLabel: true,
            align: "end",
            cell: (token) => (
              <GuardedButton permission="node:write" size="sm" onClick={() => setGoing(token)}>
                Delete
              </GuardedButton>
            ),
          },
        ]}
      />
      {going ? (
        <ConfirmDialog
          open
          onOpenChange={(open) => {
            if (!open) setGoing(null);
          }}
          title="Delete this token?"
          action="Delete the token"
          consequence={`Nobody joins by it any more. ${
            going.uses > 0 ? `The ${countOf(going.uses, "agent")} that did ${going.uses === 1 ? "stays" : "stay"}.` : ""
          }`}
          onConfirm={async () => {
            await remove.mutateAsync({ id: going.id });
            await queryClient.invalidateQueries(trpc.enrollmentToken.pathFilter());
            notify("The token is deleted.");
          }}
        />
      ) : null}
    </Section>
  );
}
