"use client";
import type { NodeDetail } from "@fairlead/domain/node";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { notify } from "@/components/ui/layout/notices.tsx";
import { ConfirmDialog } from "@/components/ui/overlay/confirm-dialog.tsx";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { warnOfDrain } from "./describe-drain.ts";

/** Drains a node after a confirmation that shows the effect, or ends the drain at once. */
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
        End drain
      </GuardedButton>
    );
  const speaks = node.agents.some(({ roles, revokedAt }) => !revokedAt && roles.includes("speaker"));
  const warning = warnOfDrain(node);
  return (
    <>
      <GuardedButton
        permission="node:write"
        disabledReason={
          speaks ? null : "No speaker runs on this node, so it announces no routes that could be drained."
        }
        onClick={() => setOpen(true)}
      >
        Drain node
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
              Routers prefer any other node. The speakers withdraw the routes when no connections are left, or when the
              drain time of the cluster is over.
            </p>
            <p className="text-muted">The node stays drained until you end the drain, even after a restart.</p>
          </div>
        }
        action="Drain node"
        onConfirm={() => change.mutateAsync({ id: node.id, draining: true })}
      />
    </>
  );
}
