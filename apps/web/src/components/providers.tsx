"use client";
import { ThemeProvider } from "next-themes";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { type ReactNode, startTransition, useEffect, useState } from "react";
import { allowOwnStyles } from "./style-nonce.ts";
import { Notices } from "./ui/layout/notices.tsx";
import { TooltipProvider } from "./ui/overlay/tooltip.tsx";

/** The providers of every page: theme, URL state, notices. */
export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  allowOwnStyles(nonce);
  return (
    <Theme nonce={nonce}>
      <NuqsAdapter>
        <TooltipProvider delayDuration={400} skipDelayDuration={200}>
          {children}
          <Notices />
        </TooltipProvider>
      </NuqsAdapter>
    </Theme>
  );
}

/** Separate, because it renders again once the page is hydrated, and its children need not. */
function Theme({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  return (
    <ThemeProvider
      attribute="data-theme"
      defaultTheme="system"
      enableSystem
      disableTransitionOnChange={useIsAlive()}
      {...(nonce ? { nonce } : {})}
    >
      {children}
    </ThemeProvider>
  );
}

/** False while the page loads: disabling transitions then makes the browser compute all styles twice. */
function useIsAlive(): boolean {
  const [isAlive, setAlive] = useState(false);
  useEffect(() => startTransition(() => setAlive(true)), []);
  return isAlive;
}
