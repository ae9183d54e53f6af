"use client";
import { ArrowUpRight, X } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";

/** Below this width the panel lies over the list, so the keyboard has to follow it there. */
const coversTheList = "(width < 64rem)";

/** A look at one row without leaving the list: beside it, or over it where there is no room. */
export function PeekPanel({
  title,
  kind,
  href,
  onClose,
  children,
}: {
  title: ReactNode;
  kind: string;
  href?: string | undefined;
  onClose: () => void;
  children: ReactNode;
}) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (window.matchMedia(coversTheList).matches) panel.current?.focus();
  }, []);
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      aria-label={`${kind}, peek`}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
      className="fixed inset-0 z-30 flex flex-col bg-canvas outline-none md:left-auto md:w-[26rem] md:border-l md:shadow-float lg:static lg:z-auto lg:shrink-0 lg:shadow-none"
    >
      <header className="flex items-start gap-2 border-b px-4 py-3">
        <div className="min-w-0 flex-1">
          <p className="text-muted text-xs">{kind}</p>
          <h2 className="break-words font-semibold text-base">{title}</h2>
        </div>
        {href ? (
          <Button asChild size="sm">
            <Link href={href}>
              Open
              <ArrowUpRight aria-hidden />
            </Link>
          </Button>
        ) : null}
        <IconButton label="Close the peek" hint="Close (Esc)" size="icon-sm" onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 py-4">{children}</div>
    </aside>
  );
}
