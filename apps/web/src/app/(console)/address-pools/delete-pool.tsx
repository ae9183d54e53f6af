"use client";
import type { AddressPool } from "@fairlead/domain";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { notify } from "@/components/ui/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";

export function DeletePool({
  pool,
  onClose,
  onDeleted,
}: {
  pool: AddressPool | null;
  onClose: () => void;
  onDeleted: () => void;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const remove = useMutation(trpc.pool.delete.mutationOptions());
  return (
    <ConfirmDialog
      open={pool !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={`Delete ${pool?.name ?? "the pool"}?`}
      action="Delete the pool"
      consequence={<p>No address of {pool?.prefix} is in use, so no traffic is affected.</p>}
      onConfirm={async () => {
        if (!pool) return;
        await remove.mutateAsync({ id: pool.id });
        await queryClient.invalidateQueries(trpc.pool.pathFilter());
        notify(`${pool.name} is deleted.`);
        onDeleted();
      }}
    />
  );
}
