"use client";
import { Search } from "lucide-react";
import { Button } from "../ui/action/button.tsx";
import { Link } from "../ui/action/link.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { ClusterScope } from "./cluster-scope.tsx";
import { LiveToggle } from "./live-toggle.tsx";
import { Logo } from "./logo.tsx";
import { OrganizationMenu } from "./organization-menu.tsx";
import { openPalette } from "./palette-state.ts";
import { TimeRangeSlot } from "./time-range-slot.tsx";
import { useIsMac } from "./use-is-mac.ts";
import { UserMenu } from "./user-menu.tsx";

export function TopBar() {
  const isMac = useIsMac();
  return (
    <header className="flex min-h-12 flex-wrap items-center gap-x-1 border-b bg-canvas px-2 max-md:col-span-2 md:px-4">
      <Link href="/" aria-label="Fairlead, overview" className="p-1.5 md:hidden">
        <Logo className="size-5" />
      </Link>
      <div className="flex min-w-0 flex-1 items-center md:-ml-2">
        <OrganizationMenu />
        <ClusterScope />
      </div>
      <div className="flex shrink-0 items-center gap-1 sm:gap-2">
        <TimeRangeSlot />
        <LiveToggle />
        <Button
          variant="secondary"
          size="sm"
          onClick={openPalette}
          aria-label="Find a page, an action or an object"
          aria-keyshortcuts={isMac ? "Meta+K" : "Control+K"}
          className="text-muted max-sm:border-transparent max-sm:bg-transparent"
        >
          <Search aria-hidden />
          <span className="hidden lg:inline">Find</span>
          <span className="hidden lg:inline-flex" aria-hidden>
            <Kbd>{isMac ? "⌘K" : "Ctrl K"}</Kbd>
          </span>
        </Button>
        <UserMenu />
      </div>
    </header>
  );
}
