import type { Metadata } from "next";
import Link from "next/link";
import { type ReactNode, Suspense } from "react";
import { findSignedIn } from "@/app/(auth)/find-signed-in.ts";
import { DocsSearch } from "@/components/docs/docs-search.tsx";
import { Logo } from "@/components/frame/logo.tsx";
import { ThemeChoice } from "@/components/frame/theme-choice.tsx";
import { Button } from "@/components/ui/action/button.tsx";

export const metadata: Metadata = { title: { default: "Docs", template: "%s · Docs · Fairlead" } };

/** The frame of the documentation. It is public: it contains no data of the installation. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  // The documentation must also work when the database doesn't.
  const signedIn = await findSignedIn().catch(() => null);
  return (
    <>
      <a
        href="#content"
        className="fixed top-2 left-2 z-[70] -translate-y-16 rounded-md bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
      >
        Skip to the content
      </a>
      <header className="sticky top-0 z-10 flex min-h-12 items-center gap-3 border-b bg-canvas px-4 md:gap-6 md:px-6">
        <Link href="/docs" prefetch={false} className="flex items-center gap-2.5 font-semibold">
          <Logo className="size-5" />
          <span className="max-sm:sr-only">Fairlead</span> Docs
        </Link>
        <Suspense fallback={<div className="flex-1" />}>
          <DocsSearch />
        </Suspense>
        <div className="ml-auto flex items-center gap-4">
          <div className="max-sm:hidden">
            <ThemeChoice />
          </div>
          <Button asChild>
            <Link href={signedIn ? "/" : "/sign-in"} prefetch={false}>
              {signedIn ? "Dashboard" : "Sign in"}
            </Link>
          </Button>
        </div>
      </header>
      {children}
    </>
  );
}
