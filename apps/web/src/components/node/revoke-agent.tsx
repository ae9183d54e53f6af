"use client";
import type { Agent } from "@fairlead/domain/node";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { notify } from "@/components/ui/layout/notices.tsx";
import { ConfirmDialog } from "@/components/ui/overlay/confirm-dialog.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { useTRPC } from "@/trpc/client.tsx";

/** Revokes the credentials of an agent, after a confirmation that shows the effect. */
export function RevokeAgent({ agent, nodeName }: { agent: Agent; nodeName: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState(false);
  const revoke = useMutation(
    trpc.agent.revoke.mutationOptions({
      onSuccess() {
        notify(`Revoked the agent of ${nodeName}.`);
        return queryClient.invalidateQueries({ queryKey: trpc.node.pathKey() });
      },
    }),
  );
  if (agent.revokedAt)
    return (
      <span className="text-muted text-xs">
        revoked <Age at={agent.revokedAt} />
      </span>
    );
  return (
    <>
      <GuardedButton permission="node:write" size="sm" variant="quiet" onClick={() => setOpen(true)}>
        Revoke
      </GuardedButton>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={`Revoke the agent of ${nodeName}?`}
        consequence={
          <div className="flex flex-col gap-2">
            <p>
              It can no longer report or fetch its configuration. This is immediate and permanent. To restore the node,
              enrol a new agent.
            </p>
            <p className="text-muted">Traffic continues: the last configuration of the agent stays active.</p>
          </div>
        }
        action="Revoke agent"
        onConfirm={() => revoke.mutateAsync({ id: agent.id })}
      />
    </>
  );
}
