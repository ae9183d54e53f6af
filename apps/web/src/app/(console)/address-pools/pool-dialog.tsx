"use client";
import type { AddressPool } from "@fairlead/domain/address-pool";
import { Dialog } from "@/components/ui/overlay/dialog.tsx";
import { PoolForm } from "./pool-form.tsx";

/** Creates a pool, as a copy of another one if that is given, or edits the given one. */
export function PoolDialog({
  open,
  pool = null,
  original = null,
  clusterId = null,
  onClose,
  onSaved,
}: {
  open: boolean;
  pool?: AddressPool | null;
  original?: AddressPool | null;
  clusterId?: string | null;
  onClose: () => void;
  onSaved: (pool: AddressPool) => void;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={pool ? `Edit ${pool.name}` : original ? `Clone ${original.name}` : "Create an address pool"}
      description={
        pool ? "Changing the note does not affect traffic." : "No address is announced until an exposure uses it."
      }
    >
      <PoolForm pool={pool} original={original} clusterId={clusterId} onCancel={onClose} onSaved={onSaved} />
    </Dialog>
  );
}
