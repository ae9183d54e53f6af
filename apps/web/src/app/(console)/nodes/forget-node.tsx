"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { notify } from "@/components/ui/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";

export function ForgetNode({
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
      title={`Forget ${node?.name ?? "this node"}?`}
      typed={node?.name ?? ""}
      action="Forget the node"
      consequence={
        <p>
          Its agents lose their credentials and its figures are dropped. What the machine forwards now it goes on
          forwarding, but nobody steers it any more. To bring it back, add it anew.
        </p>
      }
      onConfirm={async () => {
        if (!node) return;
        await remove.mutateAsync({ id: node.id });
        await queryClient.invalidateQueries(trpc.node.pathFilter());
        notify(`${node.name} is forgotten.`);
        onForgotten();
      }}
    />
  );
}
