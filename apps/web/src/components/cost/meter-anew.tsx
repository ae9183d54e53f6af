"use client";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { notify } from "@/components/ui/notices.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";

/** Has a month metered again, for whoever doubts it. */
export function MeterAnew({ span, month }: { span: { from: Date; to: Date }; month: string }) {
  const trpc = useTRPC();
  const [isOpen, setOpen] = useState(false);
  const recount = useMutation(trpc.usage.recount.mutationOptions());
  return (
    <>
      <GuardedButton permission="usage:write" onClick={() => setOpen(true)}>
        Meter anew
      </GuardedButton>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Meter ${month} anew`}
        consequence="What each load balancer used in it is read from the series once more, which takes a few minutes. Only what was wrong changes."
        action="Meter anew"
        losesNothing
        onConfirm={async () => {
          const { hours } = await recount.mutateAsync(span);
          notify(`${countOf(hours, "hour")} will be metered anew.`);
        }}
      />
    </>
  );
}
