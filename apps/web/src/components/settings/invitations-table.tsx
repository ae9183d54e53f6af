"use client";
import type { Invitation } from "@fairlead/domain";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Age } from "@/components/ui/age.tsx";
import { notify } from "@/components/ui/notices.tsx";
import type { StatusLook } from "@/components/ui/status.ts";
import { StatusBadge } from "@/components/ui/status-badge.tsx";
import { Until } from "@/components/ui/until.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { ListProblem } from "./list-problem.tsx";

const looks: Record<Invitation["state"], StatusLook> = {
  pending: { word: "Open", shape: "ring", tone: "accent" },
  accepted: { word: "Accepted", shape: "disc", tone: "good" },
  expired: { word: "Expired", shape: "cross", tone: "silent" },
};

/** The invitations that were made, and what became of them. */
export function InvitationsTable() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = useQuery(trpc.invitation.list.queryOptions({ limit: 100 }));
  const withdraw = useMutation(
    trpc.invitation.delete.mutationOptions({
      onSuccess: () => notify("The invitation is withdrawn; its link no longer works."),
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
      empty="None. An invitation is a link that lets one person join with one role, once."
      columns={[
        { label: "For", cell: (invitation) => <span className="font-medium">{invitation.email}</span> },
        { label: "Role", cell: (invitation) => invitation.role },
        { label: "State", cell: (invitation) => <StatusBadge status={looks[invitation.state]} /> },
        {
          label: "Works for",
          cell: (invitation) =>
            invitation.state === "pending" ? (
              <Until at={invitation.expiresAt} past="expired" />
            ) : invitation.acceptedAt ? (
              <>
                joined <Age at={invitation.acceptedAt} />
              </>
            ) : (
              "no longer"
            ),
        },
        { label: "Made by", cell: (invitation) => invitation.createdBy },
        { label: "Made", cell: (invitation) => <Age at={invitation.createdAt} /> },
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
