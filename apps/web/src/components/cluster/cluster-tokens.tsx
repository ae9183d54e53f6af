"use client";
import type { Cluster, EnrollmentToken } from "@fairlead/domain/cluster";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { notify } from "@/components/ui/layout/notices.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { ConfirmDialog } from "@/components/ui/overlay/confirm-dialog.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { Until } from "@/components/ui/time/until.tsx";
import { count, countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";

/** Enrolment tokens that many nodes can use until they expire. Anyone with such a token can add nodes. */
export function ClusterTokens({ cluster }: { cluster: Cluster }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [going, setGoing] = useState<EnrollmentToken | null>(null);
  const query = useQuery(trpc.enrollmentToken.list.queryOptions({ clusterId: cluster.id, reusable: true, limit: 200 }));
  const remove = useMutation(trpc.enrollmentToken.delete.mutationOptions());
  const tokens = query.data?.items;
  if (!query.error && !tokens?.length) return null;
  return (
    <div id="tokens" className="scroll-mt-16">
      <Section title="Reusable tokens" hint="anyone with a token can add nodes to this cluster">
        <RowsTable<EnrollmentToken>
          label="Reusable tokens"
          rows={tokens}
          query={query}
          stacks
          rowKey={({ id }) => id}
          empty=""
          columns={[
            { label: "Created by", cell: ({ createdBy }) => <span className="font-medium">{createdBy}</span> },
            { label: "Role", cell: ({ roles }) => (roles.length > 0 ? roles.join(", ") : "any role") },
            { label: "Created", cell: ({ createdAt }) => <Age at={createdAt} /> },
            { label: "Expires", cell: ({ expiresAt }) => <Until at={expiresAt} past="expired" /> },
            { label: "Agents joined", align: "end", cell: ({ uses }) => count(uses) },
            {
              label: "Last used",
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
            action="Delete token"
            consequence={`No node can join with it anymore. ${
              going.uses > 0
                ? `The ${countOf(going.uses, "agent")} that joined with it ${going.uses === 1 ? "stays" : "stay"} connected.`
                : ""
            }`}
            onConfirm={async () => {
              await remove.mutateAsync({ id: going.id });
              await queryClient.invalidateQueries(trpc.enrollmentToken.pathFilter());
              notify("Deleted the token.");
            }}
          />
        ) : null}
      </Section>
    </div>
  );
}
