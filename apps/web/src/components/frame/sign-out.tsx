"use client";
import { LogOut } from "lucide-react";
import { tellOtherTabs } from "@/live/other-tabs.ts";
import { Button } from "../ui/button.tsx";
import { notify } from "../ui/notices.tsx";

export function SignOutButton() {
  return (
    <Button onClick={() => void signOut()}>
      <LogOut aria-hidden />
      Sign out
    </Button>
  );
}

/** signOut ends the session of this browser. */
export async function signOut(): Promise<void> {
  try {
    const answer = await fetch("/api/auth/sign-out", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    if (!answer.ok) throw new Error(`sign-out answered ${answer.status}`);
    tellOtherTabs();
    window.location.assign("/sign-in");
  } catch {
    notify("You are still signed in: the control plane did not answer. Try again.", "problem");
  }
}
