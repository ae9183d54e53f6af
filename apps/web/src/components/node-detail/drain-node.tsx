"use client";
import type { NodeDetail } from "@fairlead/domain";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { notify } from "@/components/ui/notices.tsx";
import { StatusGlyph } from "@/components/ui/status-badge.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { warnOfDrain } from "./describe-drain.ts";

/** Drains a node, after saying who takes over, or puts it back at once. */
export function DrainNode({ node }: { node: NodeDetail }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState(false);
  const change = useMutation(
    trpc.node.update.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.node.pathKey() }),
      onError: (error) => notify(problemOf(error).message),
    }),
  );
  if (node.drainingSince)
    return (
      <GuardedButton
        permission="node:write"
        busy={change.isPending}
        onClick={() => change.mutate({ id: node.id, draining: false })}
      >
        Put back
      </GuardedButton>
    );
  const speaks = node.agents.some(({ roles, revokedAt }) => !revokedAt && roles.includes("speaker"));
  const warning = warnOfDrain(node);
  return (
    <>
      <GuardedButton
        permission="node:write"
        disabledReason={speaks ? null : "No speaker runs on it, so routers hear nothing from it that could be drained."}
        onClick={() => setOpen(true)}
      >
        Drain
      </GuardedButton>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={`Drain ${node.name}?`}
        consequence={
          <div className="flex flex-col gap-2">
            {warning ? (
              <p className="flex items-baseline gap-2 text-warn">
                <StatusGlyph shape="triangle" className="translate-y-0.5" />
                {warning}
              </p>
            ) : null}
            <p>
              Its speakers ask routers to prefer any other node, wait until nobody is connected or the cluster’s drain
              time is over, and withdraw.
            </p>
            <p className="text-muted">It stays drained until you put it back, through restarts too.</p>
          </div>
        }
        action="Drain the node"
        onConfirm={() => change.mutateAsync({ id: node.id, draining: true })}
      />
    </>
  );
}
