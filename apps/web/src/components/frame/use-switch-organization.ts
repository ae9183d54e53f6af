"use client";
import { useMutation } from "@tanstack/react-query";
import { tellOtherTabs } from "@/live/other-tabs.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { notify } from "../ui/notices.tsx";

/** useSwitchOrganization moves the session of this browser, and so all of its tabs, to another organisation. */
export function useSwitchOrganization(onSwitched: () => void = startAnew) {
  const trpc = useTRPC();
  return useMutation(
    trpc.session.switchOrganization.mutationOptions({
      onSuccess() {
        tellOtherTabs();
        onSwitched();
      },
      onError: (error) => notify(problemOf(error).message, "problem"),
    }),
  );
}

/** Everything on screen belongs to the organisation before. */
function startAnew(): void {
  window.location.assign("/");
}
