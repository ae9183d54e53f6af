"use client";
import type { NodeDetail } from "@fairlead/domain";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { notify } from "@/components/ui/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";

/** What can be done with a node: forget it. */
export function NodeActions({ node }: { node: NodeDetail }) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState(false);
  const remove = useMutation(
    trpc.node.delete.mutationOptions({
      onSuccess() {
        notify(`The node ${node.name} is forgotten.`);
        router.push("/nodes");
        return queryClient.invalidateQueries({ queryKey: trpc.node.list.pathKey() });
      },
    }),
  );
  const speaks = node.agents.some((agent) => agent.state === "in-sync" || agent.state === "out-of-sync");
  return (
    <>
      <GuardedButton
        permission="node:write"
        disabledReason={speaks ? "Its agent still reports. Stop it or revoke it first, then delete the node." : null}
        onClick={() => setOpen(true)}
      >
        <Trash2 aria-hidden />
        Delete
      </GuardedButton>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={`Delete ${node.name}?`}
        consequence={
          <p>
            The node, its settings and what it measured are forgotten. Balancer replicas on it lose their place; the
            machine itself is not touched.
          </p>
        }
        typed={node.name}
        action="Delete the node"
        onConfirm={() => remove.mutateAsync({ id: node.id, expectedGeneration: node.generation })}
      />
    </>
  );
}
