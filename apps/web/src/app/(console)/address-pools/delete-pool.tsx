"use client";
import type { AddressPool } from "@fairlead/domain/address-pool";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { notify } from "@/components/ui/layout/notices.tsx";
import { ConfirmDialog } from "@/components/ui/overlay/confirm-dialog.tsx";
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
  const remove = useMutation(trpc.addressPool.delete.mutationOptions());
  return (
    <ConfirmDialog
      open={pool !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={`Delete ${pool?.name ?? "the pool"}?`}
      action="Delete pool"
      consequence={<p>No address of {pool?.prefix} is in use, so no traffic is affected.</p>}
      onConfirm={async () => {
        if (!pool) return;
        await remove.mutateAsync({ id: pool.id });
        await queryClient.invalidateQueries(trpc.addressPool.pathFilter());
        notify(`Deleted ${pool.name}.`);
        onDeleted();
      }}
    />
  );
}
