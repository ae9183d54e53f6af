"use client";
import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { IconButton } from "../ui/action/icon-button.tsx";
import { Link } from "../ui/action/link.tsx";
import { classNames } from "../ui/class-names.ts";
import { Tooltip } from "../ui/overlay/tooltip.tsx";
import { Logo } from "./logo.tsx";
import { type Destination, hrefInScope, isCurrent } from "./navigation.ts";
import { railCookie } from "./rail-cookie.ts";
import { useClusterScope } from "./scope.ts";
import { useDestinations } from "./use-destinations.ts";

/** The navigation on the left. A cookie stores whether it is collapsed, so that the server renders the right width. */
export function Rail({ startNarrow }: { startNarrow: boolean }) {
  const [narrow, setNarrow] = useState(startNarrow);
  const path = usePathname();
  const [clusterId] = useClusterScope();
  const destinations = useDestinations();

  function toggle() {
    const next = !narrow;
    setNarrow(next);
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing from Safari and plain http
    document.cookie = `${railCookie}=${next ? "narrow" : "wide"}; path=/; max-age=31536000; samesite=lax`;
  }

  return (
    <nav
      aria-label="Main"
      className={classNames("row-span-2 hidden min-h-0 flex-col border-r bg-surface md:flex", narrow ? "w-14" : "w-52")}
    >
      <Link
        href="/"
        className={classNames(
          "flex h-12 shrink-0 items-center gap-2.5 font-semibold",
          narrow ? "justify-center" : "px-4",
        )}
        aria-label="Fairlead, overview"
      >
        <Logo className="size-5" />
        {narrow ? null : "Fairlead"}
      </Link>
      <ul className="flex min-h-0 flex-1 flex-col gap-0.5 overflow-y-auto px-2 py-2">
        {destinations.map((destination) => (
          <li key={destination.href}>
            <RailLink
              destination={destination}
              href={hrefInScope(destination, clusterId)}
              current={isCurrent(destination, path)}
              narrow={narrow}
            />
          </li>
        ))}
      </ul>
      <div className={classNames("border-t p-2", narrow && "flex justify-center")}>
        <IconButton label={narrow ? "Expand navigation" : "Collapse navigation"} onClick={toggle}>
          {narrow ? <PanelLeftOpen aria-hidden /> : <PanelLeftClose aria-hidden />}
        </IconButton>
      </div>
    </nav>
  );
}

function RailLink({
  destination,
  href,
  current,
  narrow,
}: {
  destination: Destination;
  href: string;
  current: boolean;
  narrow: boolean;
}) {
  const { icon: Icon, label } = destination;
  const link = (
    <Link
      href={href}
      aria-current={current ? "page" : undefined}
      aria-label={narrow ? label : undefined}
      className={classNames(
        "flex h-8 items-center gap-2.5 rounded-md text-sm",
        narrow ? "justify-center" : "px-2",
        current ? "bg-selected font-medium text-ink" : "text-muted hover:bg-hover hover:text-ink",
      )}
    >
      <Icon className={classNames("size-4 shrink-0", current && "text-accent")} aria-hidden />
      {narrow ? null : label}
    </Link>
  );
  return narrow ? <Tooltip content={label}>{link}</Tooltip> : link;
}
