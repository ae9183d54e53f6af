"use client";
import type { Exposure, TicketRotationDetail } from "@fairlead/domain/exposure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { notify } from "@/components/ui/layout/notices.tsx";
import { ConfirmDialog } from "@/components/ui/overlay/confirm-dialog.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { describeRotation } from "./describe-rotation.ts";
import { whyNotRotate } from "./why-not-rotate.ts";

/** Starts a rotation of managed ticket keys before it is due. */
export function RotateButton({ exposure, rotation }: { exposure: Exposure; rotation: TicketRotationDetail }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState(false);
  const { id, name } = exposure;
  const onSettled = () => queryClient.invalidateQueries({ queryKey: trpc.exposure.pathKey() });
  const rotate = useMutation(trpc.exposure.rotateTicketKeys.mutationOptions({ onSettled }));
  return (
    <>
      <GuardedButton
        permission="exposure:write"
        disabledReason={whyNotRotate(exposure, rotation)}
        onClick={() => setOpen(true)}
      >
        <RotateCw aria-hidden />
        Rotate keys
      </GuardedButton>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={`Rotate the ticket keys of ${name}?`}
        action="Rotate keys"
        losesNothing
        consequence={consequenceOf(exposure)}
        onConfirm={async () => {
          await rotate.mutateAsync({ id });
          notify(`Requested a rotation of the ticket keys of ${name}.`);
        }}
      />
    </>
  );
}

function consequenceOf({ strategy }: Exposure): string {
  if (strategy.type !== "session" || !strategy.ticketKeys) return "Servers encrypt with a new key.";
  return describeRotation(strategy.ticketKeys.software, strategy.ticketHours);
}
