"use client";
import type { Exposure } from "@fairlead/domain/exposure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Pause, Play } from "lucide-react";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { notify } from "@/components/ui/layout/notices.tsx";
import { ConfirmDialog } from "@/components/ui/overlay/confirm-dialog.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { PauseEffect } from "./pause-effect.tsx";

/** Pauses an exposure, or resumes a paused one, after a dialog that shows the effect. */
export function PauseButton({ exposure, disabledReason }: { exposure: Exposure; disabledReason: string | null }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState(false);
  const { id, name, pausedAt } = exposure;
  // The dialog keeps its action while it closes.
  const [action, setAction] = useState<"pause" | "resume">("pause");
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: trpc.exposure.pathKey() });
  const pause = useMutation(trpc.exposure.pause.mutationOptions({ onSuccess }));
  const resume = useMutation(trpc.exposure.resume.mutationOptions({ onSuccess }));
  const isPause = action === "pause";

  async function confirm() {
    await (isPause ? pause : resume).mutateAsync({ id });
    notify(isPause ? `Paused ${name}.` : `Resumed ${name}.`);
  }

  return (
    <>
      <GuardedButton
        permission="exposure:write"
        disabledReason={disabledReason}
        onClick={() => {
          setAction(pausedAt ? "resume" : "pause");
          setOpen(true);
        }}
      >
        {pausedAt ? <Play aria-hidden /> : <Pause aria-hidden />}
        {pausedAt ? "Resume" : "Pause"}
      </GuardedButton>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={isPause ? `Pause ${name}?` : `Resume ${name}?`}
        action={isPause ? "Pause exposure" : "Resume exposure"}
        losesNothing
        consequence={
          <div className="flex flex-col gap-2">
            <PauseEffect action={action} count={1} />
          </div>
        }
        onConfirm={confirm}
      />
    </>
  );
}
