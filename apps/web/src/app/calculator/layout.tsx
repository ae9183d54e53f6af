import Link from "next/link";
import type { ReactNode } from "react";
import { findSignedIn } from "@/app/(auth)/find-signed-in.ts";
import { DashboardLink } from "@/components/cost/calculator/dashboard-link.tsx";
import { Logo } from "@/components/frame/logo.tsx";
import { ThemeChoice } from "@/components/frame/theme-choice.tsx";

/** The frame of the public calculator: the name, the theme choice, a link to sign in. */
export default async function CalculatorLayout({ children }: { children: ReactNode }) {
  const signedIn = await findSignedIn();
  return (
    <>
      <header className="flex min-h-12 items-center gap-4 border-b px-4 md:px-6">
        <Link href="/calculator" prefetch={false} className="flex items-center gap-2.5 font-semibold">
          <Logo className="size-5" />
          Fairlead
        </Link>
        <div className="ml-auto flex items-center gap-4">
          <ThemeChoice />
          <DashboardLink isSignedIn={signedIn !== null} />
        </div>
      </header>
      <main className="relative mx-auto w-full max-w-[100rem]">{children}</main>
    </>
  );
}
