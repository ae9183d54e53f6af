"use client";
import { useMutation } from "@tanstack/react-query";
import { notifyOtherTabs } from "@/live/other-tabs.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { notify } from "../ui/layout/notices.tsx";

/** useSwitchOrganization switches the session of this browser, and so all of its tabs, to another organisation. */
export function useSwitchOrganization(onSwitched: () => void = reloadAtStart) {
  const trpc = useTRPC();
  return useMutation(
    trpc.session.switchOrganization.mutationOptions({
      onSuccess() {
        notifyOtherTabs();
        onSwitched();
      },
      onError: (error) => notify(problemOf(error).message, "problem"),
    }),
  );
}

/** All cached data belongs to the previous organisation. */
function reloadAtStart(): void {
  window.location.assign("/");
}
