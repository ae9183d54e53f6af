"use client";
import type { Agent } from "@fairlead/domain";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { Age } from "@/components/ui/age.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { notify } from "@/components/ui/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";

/** Withdraws an agent's credentials, after saying what that means. */
export function RevokeAgent({ agent, nodeName }: { agent: Agent; nodeName: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState(false);
  const revoke = useMutation(
    trpc.agent.revoke.mutationOptions({
      onSuccess() {
        notify(`The agent of ${nodeName} is revoked.`);
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
              It may no longer report or fetch its configuration, at once and for good. To bring the node back, enrol an
              agent anew.
            </p>
            <p className="text-muted">Traffic goes on: what the agent last set up keeps serving.</p>
          </div>
        }
        action="Revoke the agent"
        onConfirm={() => revoke.mutateAsync({ id: agent.id })}
      />
    </>
  );
}
