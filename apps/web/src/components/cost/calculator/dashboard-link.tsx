"use client";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { Suspense } from "react";
import { signInHref } from "@/components/frame/sign-in-href.ts";
import { Button } from "@/components/ui/action/button.tsx";

/** A link from the public calculator to the one in the dashboard, with the same inputs. */
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
