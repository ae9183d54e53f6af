"use client";
import type { Invitation } from "@fairlead/domain/access";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { notify } from "@/components/ui/layout/notices.tsx";
import type { StatusLook } from "@/components/ui/status/status.ts";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { Until } from "@/components/ui/time/until.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { ListProblem } from "./list-problem.tsx";

const looks: Record<Invitation["state"], StatusLook> = {
  pending: { word: "Open", shape: "ring", tone: "accent" },
  accepted: { word: "Accepted", shape: "disc", tone: "good" },
  expired: { word: "Expired", shape: "cross", tone: "silent" },
};

/** The invitations and their states. */
export function InvitationsTable() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = useQuery(trpc.invitation.list.queryOptions({ limit: 100 }));
  const withdraw = useMutation(
    trpc.invitation.delete.mutationOptions({
      onSuccess: () => notify("Withdrew the invitation. Its link no longer works."),
      onError: (error) => notify(problemOf(error).message, "problem"),
      onSettled: () => queryClient.invalidateQueries(trpc.invitation.pathFilter()),
    }),
  );
  if (query.error && !query.data) return <ListProblem error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <RowsTable<Invitation>
      label="Invitations"
      rows={query.data?.items}
      stacks
      rowKey={(invitation) => invitation.id}
      empty="No invitations. An invitation is a single-use link that adds one member with a set role. Invite a member."
      columns={[
        { label: "For", cell: (invitation) => <span className="font-medium">{invitation.email}</span> },
        { label: "Role", cell: (invitation) => invitation.role },
        { label: "State", cell: (invitation) => <StatusBadge status={looks[invitation.state]} /> },
        {
          label: "Expires",
          cell: (invitation) =>
            invitation.state === "pending" ? (
              <Until at={invitation.expiresAt} past="expired" />
            ) : invitation.acceptedAt ? (
              <>
                joined <Age at={invitation.acceptedAt} />
              </>
            ) : (
              "expired"
            ),
        },
        { label: "Created by", cell: (invitation) => invitation.createdBy },
        { label: "Created", cell: (invitation) => <Age at={invitation.createdAt} /> },
        {
          label: "Action",
          hidesLabel: true,
          align: "end",
          cell: (invitation) =>
            invitation.state === "pending" ? (
              <GuardedButton
                permission="member:write"
                size="sm"
                variant="quiet"
                busy={withdraw.isPending && withdraw.variables?.id === invitation.id}
                onClick={() => withdraw.mutate({ id: invitation.id })}
              >
                Withdraw
              </GuardedButton>
            ) : null,
        },
      ]}
    />
  );
}
