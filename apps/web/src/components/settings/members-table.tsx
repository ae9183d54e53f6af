"use client";
import type { Member } from "@fairlead/domain/access";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { useMay, useSession } from "@/components/frame/session.tsx";
import { notify } from "@/components/ui/layout/notices.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { describeChange } from "./describe-change.ts";
import { ListProblem } from "./list-problem.tsx";
import { MapAccess } from "./map-access.tsx";
import { RemoveMember } from "./remove-member.tsx";
import { RoleSelect } from "./role-select.tsx";

/** The members, each with a role that owners can change. */
export function MembersTable() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { user } = useSession();
  const may = useMay("member:write");
  const [leaving, setLeaving] = useState<Member | null>(null);
  const query = useQuery(trpc.member.list.queryOptions({ limit: 200 }));
  const update = useMutation(
    trpc.member.update.mutationOptions({
      onSuccess: (member, changed) =>
        notify(`${member.name} ${describeChange(member, changed)}. This applies from the next request.`),
      onError: (error) => notify(problemOf(error).message, "problem"),
      onSettled: () => queryClient.invalidateQueries(trpc.member.pathFilter()),
    }),
  );
  if (query.error && !query.data) return <ListProblem error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <>
      <RowsTable<Member>
        label="Members"
        rows={query.data?.items}
        stacks
        rowKey={(member) => member.id}
        empty="No members."
        columns={[
          {
            label: "Name",
            cell: (member) => (
              <>
                <span className="font-medium">{member.name}</span>
                {member.userId === user?.id ? <span className="text-muted"> (you)</span> : null}
              </>
            ),
          },
          { label: "Email", cell: (member) => member.email },
          {
            label: "Role",
            cell: (member) =>
              may ? (
                <RoleSelect
                  className="w-28"
                  aria-label={`Role of ${member.name}`}
                  value={member.role}
                  disabled={update.isPending}
                  onChange={(role) => update.mutate({ id: member.id, role })}
                />
              ) : (
                member.role
              ),
          },
          {
            label: "May read address maps",
            cell: (member) => (
              <MapAccess
                member={member}
                disabled={!may || update.isPending}
                onChange={(denied) => update.mutate({ id: member.id, denied })}
              />
            ),
          },
          { label: "Joined", cell: (member) => <Age at={member.createdAt} /> },
          {
            label: "Keys created",
            cell: (member) => (member.activeKeyCount > 0 ? countOf(member.activeKeyCount, "active key") : "none"),
          },
          {
            label: "Action",
            hidesLabel: true,
            align: "end",
            cell: (member) => (
              <GuardedButton permission="member:write" size="sm" variant="quiet" onClick={() => setLeaving(member)}>
                Remove
              </GuardedButton>
            ),
          },
        ]}
      />
      <RemoveMember member={leaving} onClose={() => setLeaving(null)} />
    </>
  );
}
