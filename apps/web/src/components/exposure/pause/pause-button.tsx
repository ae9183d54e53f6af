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
import { ResumeChanges } from "./resume-changes.tsx";
import { useResume } from "./use-resume.ts";

/** Pauses an exposure, or resumes a paused one, after a dialog that shows the effect. */
export function PauseButton({ exposure, disabledReason }: { exposure: Exposure; disabledReason: string | null }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState(false);
  const { id, name, pausedAt } = exposure;
  // The dialog keeps its action while it closes, and the spec that the user saw when it was opened.
  const [action, setAction] = useState<"pause" | "resume">("pause");
  const [seen, setSeen] = useState(exposure);
  const onSettled = () => queryClient.invalidateQueries({ queryKey: trpc.exposure.pathKey() });
  const pause = useMutation(trpc.exposure.pause.mutationOptions({ onSettled }));
  const resume = useMutation({ mutationFn: useResume(), onSettled });
  const isPause = action === "pause";

  async function confirm() {
    await (isPause ? pause.mutateAsync({ id }) : resume.mutateAsync({ id, name, generation: seen.generation }));
    notify(isPause ? `Paused ${name}.` : `Resumed ${name}.`);
  }

  return (
    <>
      <GuardedButton
        permission="exposure:write"
        disabledReason={disabledReason}
        onClick={() => {
          setAction(pausedAt ? "resume" : "pause");
          setSeen(exposure);
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
            {isPause ? null : <ResumeChanges exposure={pausedAt ? exposure : seen} />}
          </div>
        }
        onConfirm={confirm}
      />
    </>
  );
}
