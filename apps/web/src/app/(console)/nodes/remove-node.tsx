"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { notify } from "@/components/ui/layout/notices.tsx";
import { ConfirmDialog } from "@/components/ui/overlay/confirm-dialog.tsx";
import { useTRPC } from "@/trpc/client.tsx";

export function RemoveNode({
  node,
  onClose,
  onForgotten,
}: {
  node: { id: string; name: string } | null;
  onClose: () => void;
  onForgotten: () => void;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const remove = useMutation(trpc.node.delete.mutationOptions());
  return (
    <ConfirmDialog
      open={node !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={`Remove ${node?.name ?? "this node"}?`}
      typed={node?.name ?? ""}
      action="Remove node"
      consequence={
        <p>
          Its agents lose their credentials and its metrics are deleted. The machine keeps forwarding traffic with its
          last configuration, but is no longer managed. To manage it again, add it as a new node.
        </p>
      }
      onConfirm={async () => {
        if (!node) return;
        await remove.mutateAsync({ id: node.id });
        await queryClient.invalidateQueries(trpc.node.pathFilter());
        notify(`Removed ${node.name}.`);
        onForgotten();
      }}
    />
  );
}
