"use client";
import type { Exposure } from "@fairlead/domain/exposure";
import { ArrowRightLeft } from "lucide-react";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { Dialog } from "@/components/ui/overlay/dialog.tsx";
import { MoveForm } from "./move-form.tsx";
import { useLatestMove } from "./use-latest-move.ts";

/** Opens the form that moves an exposure to another cluster. Only those with the strategy ecmp can be moved. */
export function MoveButton({ exposure, disabledReason }: { exposure: Exposure; disabledReason: string | null }) {
  const [open, setOpen] = useState(false);
  const latest = useLatestMove(exposure.id);
  if (exposure.strategy.type !== "ecmp") return null;
  const running = latest && !latest.endedAt ? `It is being moved to ${latest.toClusterName} already.` : null;
  const paused = exposure.pausedAt ? "It is paused, so it can't be moved. Resume it first." : null;
  return (
    <>
      <GuardedButton
        permission="exposure:write"
        disabledReason={disabledReason ?? paused ?? running}
        onClick={() => setOpen(true)}
      >
        <ArrowRightLeft aria-hidden />
        Move
      </GuardedButton>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={`Move ${exposure.name} to another cluster`}
        description="Its id and address stay. The target gets more of the new connections with each step, and a step is rolled back when a gate closes."
      >
        <MoveForm exposure={exposure} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}
