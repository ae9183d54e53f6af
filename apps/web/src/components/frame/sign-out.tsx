"use client";
import { onlineManager, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { LogOut } from "lucide-react";
import { tellOtherTabs } from "@/live/other-tabs.ts";
import { Button } from "../ui/button.tsx";
import { notify } from "../ui/notices.tsx";

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
      await fallSilent(queryClient);
      const answer = await fetch("/api/auth/sign-out", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      });
      if (!answer.ok) throw new Error(`sign-out answered ${answer.status}`);
      tellOtherTabs();
      window.location.assign("/sign-in");
    } catch {
      onlineManager.setOnline(true);
      notify("You are still signed in: the control plane did not answer. Try again.", "problem");
    }
  };
}

const mostSilentMs = 1_000;

/** fallSilent has the page ask nothing more, and waits a while for what it has asked: without a session it would be refused. */
async function fallSilent(queryClient: QueryClient): Promise<void> {
  onlineManager.setOnline(false);
  const until = Date.now() + mostSilentMs;
  while (queryClient.isFetching() > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
}
