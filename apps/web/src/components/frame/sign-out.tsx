"use client";
import { onlineManager, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { LogOut } from "lucide-react";
import { notifyOtherTabs } from "@/live/other-tabs.ts";
import { abortRequests } from "@/trpc/session-fetch.ts";
import { Button } from "../ui/action/button.tsx";
import { notify } from "../ui/layout/notices.tsx";

export function SignOutButton() {
  const signOut = useSignOut();
  return (
    <Button onClick={() => void signOut()}>
      <LogOut aria-hidden />
      Sign out
    </Button>
  );
}

/** useSignOut ends the session of this browser. */
export function useSignOut(): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    try {
      await stopRequests(queryClient);
      const answer = await fetch("/api/auth/sign-out", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      });
      if (!answer.ok) throw new Error(`sign-out returned ${answer.status}`);
      notifyOtherTabs();
      window.location.assign("/sign-in");
    } catch {
      onlineManager.setOnline(true);
      notify("You are still signed in: the control plane did not respond. Try again.", "problem");
    }
  };
}

const maxSilentMs = 1_000;

/**
 * stopRequests stops new requests and waits briefly for those in flight. It aborts the rest: a request after the end of
 * the session would be rejected, and the page would show an error.
 */
async function stopRequests(queryClient: QueryClient): Promise<void> {
  onlineManager.setOnline(false);
  const until = Date.now() + maxSilentMs;
  while (queryClient.isFetching() > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
  abortRequests();
}
