"use client";
import { Menu as MenuIcon } from "lucide-react";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { Link } from "../ui/action/link.tsx";
import { classNames } from "../ui/class-names.ts";
import { Sheet } from "../ui/overlay/sheet.tsx";
import { Logo } from "./logo.tsx";
import { type Destination, hrefInScope, isCurrent } from "./navigation.ts";
import { useClusterScope } from "./scope.ts";
import { ThemeChoice } from "./theme-choice.tsx";
import { useDestinations } from "./use-destinations.ts";

const withinReach = ["/", "/exposures", "/load-balancers", "/nodes"];
const shortLabels: Record<string, string> = { "/load-balancers": "Balancers" };

/** The navigation on a phone: four pages, the rest in a drawer. */
export function BottomBar() {
  const [open, setOpen] = useState(false);
  const path = usePathname();
  const [clusterId] = useClusterScope();
  const destinations = useDestinations();
  const near = destinations.filter(({ href }) => withinReach.includes(href));
  const isElsewhere = !near.some((destination) => isCurrent(destination, path));
  return (
    <>
      <nav aria-label="Main" className="col-span-2 flex border-t bg-surface pb-[env(safe-area-inset-bottom)] md:hidden">
        {near.map((destination) => (
          <Link
            key={destination.href}
            href={hrefInScope(destination, clusterId)}
            aria-current={isCurrent(destination, path) ? "page" : undefined}
            className={tabStyle(isCurrent(destination, path))}
          >
            <destination.icon className="size-5" aria-hidden />
            {shortLabels[destination.href] ?? destination.label}
          </Link>
        ))}
        <button type="button" className={tabStyle(isElsewhere)} onClick={() => setOpen(true)} aria-haspopup="dialog">
          <MenuIcon className="size-5" aria-hidden />
          More
        </button>
      </nav>
      <Sheet open={open} onOpenChange={setOpen} title="All pages">
        <div className="flex h-12 items-center gap-2.5 border-b px-4 font-semibold">
          <Logo className="size-5" />
          Fairlead
        </div>
        <ul className="flex-1 p-2">
          {destinations.map((destination) => (
            <li key={destination.href}>
              <DrawerLink
                destination={destination}
                href={hrefInScope(destination, clusterId)}
                current={isCurrent(destination, path)}
                onFollow={() => setOpen(false)}
              />
            </li>
          ))}
        </ul>
        <div className="border-t p-4">
          <ThemeChoice />
        </div>
      </Sheet>
    </>
  );
}

function tabStyle(current: boolean): string {
  return classNames(
    "flex h-14 min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-xs",
    current ? "text-accent" : "text-muted",
  );
}

function DrawerLink({
  destination,
  href,
  current,
  onFollow,
}: {
  destination: Destination;
  href: string;
  current: boolean;
  onFollow: () => void;
}) {
  return (
    <Link
      href={href}
      onClick={onFollow}
      aria-current={current ? "page" : undefined}
      className={classNames(
        "flex h-11 items-center gap-3 rounded-md px-3",
        current ? "bg-selected font-medium" : "text-muted",
      )}
    >
      <destination.icon className="size-5" aria-hidden />
      {destination.label}
    </Link>
  );
}
