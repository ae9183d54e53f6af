import { TRPCError } from "@trpc/server";
import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { BottomBar } from "@/components/frame/bottom-bar.tsx";
import { CommandPalette } from "@/components/frame/command-palette.tsx";
import { KeepFocus } from "@/components/frame/keep-focus.tsx";
import { Rail } from "@/components/frame/rail.tsx";
import { railCookie } from "@/components/frame/rail-cookie.ts";
import { SessionProvider } from "@/components/frame/session.tsx";
import { SessionElsewhere } from "@/components/frame/session-elsewhere.tsx";
import { SessionOver } from "@/components/frame/session-over.tsx";
import { Shortcuts } from "@/components/frame/shortcuts.tsx";
import { signInHref } from "@/components/frame/sign-in-href.ts";
import { TopBar } from "@/components/frame/top-bar.tsx";
import { UnsavedGuard } from "@/components/frame/unsaved-guard.tsx";
import { SessionKeeper } from "@/components/session-keeper.tsx";
import { LiveProvider } from "@/live/live-provider.tsx";
import { TRPCReactProvider } from "@/trpc/client.tsx";
import { getCaller, getFeedCursor } from "@/trpc/server.tsx";

/** The frame of every page for signed-in users. */
export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const [session, cursor] = await Promise.all([findSession(), getFeedCursor()]);
  const isNarrow = (await cookies()).get(railCookie)?.value === "narrow";
  return (
    <SessionProvider session={session}>
      <TRPCReactProvider organizationId={session.organization.id}>
        <LiveProvider cursor={cursor}>
          <a
            href="#main"
            className="fixed top-2 left-2 z-[70] -translate-y-16 rounded-md bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
          >
            Skip to the content
          </a>
          <div className="grid h-dvh grid-cols-[auto_minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto] md:grid-rows-[auto_minmax(0,1fr)]">
            <Rail startNarrow={isNarrow} />
            <TopBar />
            <div className="flex min-h-0 flex-col max-md:col-span-2">
              <SessionOver />
              <SessionElsewhere />
              {/*
               * Relative: otherwise content for screen readers is positioned outside of it and makes the document
               * scroll too. A page with tabs keeps its width, whether or not a tab is long enough to scroll.
               */}
              <main
                id="main"
                tabIndex={-1}
                className="relative min-h-0 flex-1 overflow-y-auto outline-none has-[[role=tablist]]:[scrollbar-gutter:stable]"
              >
                {children}
              </main>
            </div>
            <BottomBar />
          </div>
          <CommandPalette />
          <Shortcuts />
          <KeepFocus />
          <UnsavedGuard />
          <SessionKeeper />
        </LiveProvider>
      </TRPCReactProvider>
    </SessionProvider>
  );
}

/** If the user is signed out, redirects to the sign-in page, which leads back here. */
async function findSession() {
  const caller = await getCaller();
  try {
    return await caller.session.get();
  } catch (error) {
    if (!(error instanceof TRPCError && error.code === "UNAUTHORIZED")) throw error;
    redirect(signInHref((await headers()).get("x-path") ?? "/"));
  }
}
