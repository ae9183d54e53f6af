"use client";
import type { Move } from "@fairlead/domain/move";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { notify } from "@/components/ui/layout/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";

/** Pauses, resumes or rolls back a move, by one click. */
export function MoveControls({ move: { id, state, fromClusterName } }: { move: Move }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const options = {
    onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.move.pathKey() }),
    onError: (error: Parameters<typeof problemOf>[0]) => notify(problemOf(error).message, "problem"),
  };
  const pause = useMutation(trpc.move.pause.mutationOptions(options));
  const resume = useMutation(trpc.move.resume.mutationOptions(options));
  const rollBack = useMutation(trpc.move.rollBack.mutationOptions(options));
  const rolling = state === "rolling-back" ? `It returns to ${fromClusterName} already.` : null;
  return (
    <>
      {state === "paused" ? (
        <GuardedButton permission="exposure:write" disabledReason={null} onClick={() => resume.mutate({ id })}>
          Resume move
        </GuardedButton>
      ) : (
        <GuardedButton permission="exposure:write" disabledReason={rolling} onClick={() => pause.mutate({ id })}>
          Pause move
        </GuardedButton>
      )}
      <GuardedButton permission="exposure:write" disabledReason={rolling} onClick={() => rollBack.mutate({ id })}>
        Roll back
      </GuardedButton>
    </>
  );
}
