"use client";
import type { Exposure } from "@fairlead/domain/exposure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Pencil, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { MoveButton } from "@/components/move/move-button.tsx";
import { notify } from "@/components/ui/layout/notices.tsx";
import { ConfirmDialog } from "@/components/ui/overlay/confirm-dialog.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { PauseButton } from "./pause/pause-button.tsx";

const going = "It is being deleted and can't be changed.";
const paused = "It is paused, so it can't be deleted. Resume it first.";

/** Edits, pauses or deletes the exposure. */
export function ExposureActions({ exposure }: { exposure: Exposure }) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState(false);
  const remove = useMutation(
    trpc.exposure.delete.mutationOptions({
      onSuccess() {
        notify(`Deleting the exposure ${exposure.name}.`);
        router.push("/exposures");
        return queryClient.invalidateQueries({ queryKey: trpc.exposure.list.pathKey() });
      },
    }),
  );
  const disabledReason = exposure.deletedAt ? going : null;
  return (
    <>
      <GuardedButton
        permission="exposure:write"
        disabledReason={disabledReason}
        onClick={() => router.push(`/exposures/${exposure.id}/edit`)}
      >
        <Pencil aria-hidden />
        Edit
      </GuardedButton>
      <MoveButton exposure={exposure} disabledReason={disabledReason} />
      <PauseButton exposure={exposure} disabledReason={disabledReason} />
      <GuardedButton
        permission="exposure:write"
        disabledReason={disabledReason ?? (exposure.pausedAt ? paused : null)}
        onClick={() => setOpen(true)}
      >
        <Trash2 aria-hidden />
        Delete
      </GuardedButton>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={`Delete ${exposure.name}?`}
        consequence={<Consequence exposure={exposure} />}
        typed={exposure.name}
        action="Delete exposure"
        onConfirm={() => remove.mutateAsync({ id: exposure.id, expectedGeneration: exposure.generation })}
      />
    </>
  );
}

function Consequence({ exposure }: { exposure: Exposure }) {
  const where = exposure.addresses.length > 0 ? ` at ${exposure.addresses.slice(0, 3).join(", ")}` : "";
  return (
    <div className="flex flex-col gap-2">
      <p>
        <strong>New connections{where} fail.</strong> The balancers drain, and are removed. Their addresses return to
        the pool.
      </p>
      <p className="text-muted">The workload itself is not changed.</p>
    </div>
  );
}
