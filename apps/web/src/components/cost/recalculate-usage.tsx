"use client";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { notify } from "@/components/ui/layout/notices.tsx";
import { ConfirmDialog } from "@/components/ui/overlay/confirm-dialog.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";

/** Recalculates the usage of a month. */
export function RecalculateUsage({ span, month }: { span: { from: Date; to: Date }; month: string }) {
  const trpc = useTRPC();
  const [isOpen, setOpen] = useState(false);
  const recount = useMutation(trpc.usage.recount.mutationOptions());
  return (
    <>
      <GuardedButton permission="usage:write" onClick={() => setOpen(true)}>
        Recalculate
      </GuardedButton>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Recalculate ${month}`}
        consequence="Reads the usage of each load balancer from its metrics again, which takes a few minutes. Only wrong values change. Traffic is not affected."
        action="Recalculate"
        losesNothing
        onConfirm={async () => {
          const { hours } = await recount.mutateAsync(span);
          notify(`Recalculating ${countOf(hours, "hour")}.`);
        }}
      />
    </>
  );
}
