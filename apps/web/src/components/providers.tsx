"use client";
import { ThemeProvider } from "next-themes";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { type ReactNode, startTransition, useEffect, useState } from "react";
import { allowOwnStyles } from "./style-nonce.ts";
import { Notices } from "./ui/notices.tsx";
import { TooltipProvider } from "./ui/tooltip.tsx";

/** What every page stands on: theme, URL state, notices. */
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

/** Apart, because it is drawn anew once the page is alive, and nothing below it need be. */
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

/** False while the page loads: to forbid transitions then has the browser compute the styles of everything twice. */
function useIsAlive(): boolean {
  const [isAlive, setAlive] = useState(false);
  useEffect(() => startTransition(() => setAlive(true)), []);
  return isAlive;
}
