"use client";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { Suspense } from "react";
import { signInHref } from "@/components/frame/sign-in-href.ts";
import { Button } from "@/components/ui/button.tsx";

/** From the calculator of strangers to that in the dashboard, with what was asked. */
export function DashboardLink({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <Suspense>
      <WithQuery isSignedIn={isSignedIn} />
    </Suspense>
  );
}

function WithQuery({ isSignedIn }: { isSignedIn: boolean }) {
  const query = useSearchParams().toString();
  const inside = query ? `/costs?${query}` : "/costs";
  return (
    <Button asChild>
      <Link href={isSignedIn ? inside : signInHref(inside)} prefetch={false}>
        {isSignedIn ? "Open the dashboard" : "Sign in"}
      </Link>
    </Button>
  );
}
