import type { Permission } from "@fairlead/domain/access";
import {
  ArrowLeftRight,
  Boxes,
  Coins,
  Combine,
  Gauge,
  History,
  type LucideIcon,
  Network,
  Radio,
  ScrollText,
  Server,
  Settings,
  Target,
  Waypoints,
} from "lucide-react";

export type Destination = {
  href: string;
  label: string;
  icon: LucideIcon;
  /** After g: the shortcut. */
  letter: string;
  permission?: Permission;
  /** Filters by cluster if one is selected. */
  isScoped?: boolean;
  /** A page that is reached from this one, with a sibling path. */
  beside?: string;
};

/** The pages of the console, in display order. */
export const destinations: readonly Destination[] = [
  { href: "/", label: "Overview", icon: Gauge, letter: "o", isScoped: true },
  { href: "/exposures", label: "Exposures", icon: Radio, letter: "e", permission: "exposure:read", isScoped: true },
  {
    href: "/load-balancers",
    label: "Load balancers",
    icon: Combine,
    letter: "l",
    permission: "exposure:read",
    isScoped: true,
  },
  { href: "/clusters", label: "Clusters", icon: Boxes, letter: "c", permission: "cluster:read" },
  { href: "/nodes", label: "Nodes", icon: Server, letter: "n", permission: "node:read", isScoped: true },
  {
    href: "/address-pools",
    label: "Address pools",
    icon: Network,
    letter: "p",
    permission: "address-pool:read",
    isScoped: true,
  },
  {
    href: "/routing",
    label: "Routing",
    icon: Waypoints,
    letter: "r",
    permission: "cluster:read",
    isScoped: true,
    beside: "/experiments",
  },
  {
    href: "/mappings",
    label: "Mappings",
    icon: ArrowLeftRight,
    letter: "m",
    permission: "map:read",
    isScoped: true,
  },
  { href: "/choose", label: "Choose", icon: Target, letter: "h", permission: "cluster:read" },
  { href: "/costs", label: "Costs", icon: Coins, letter: "t" },
  { href: "/events", label: "Events", icon: History, letter: "v", permission: "event:read", isScoped: true },
  { href: "/audit", label: "Audit", icon: ScrollText, letter: "a", permission: "audit:read" },
  { href: "/settings", label: "Settings", icon: Settings, letter: "s" },
];

/** isCurrent reports whether a path belongs to a destination: its page, a subpage, or a sibling. */
export function isCurrent({ href, beside }: Destination, path: string): boolean {
  if (href === "/") return path === "/";
  const isWithin = (page: string) => path === page || path.startsWith(`${page}/`);
  return isWithin(href) || (beside !== undefined && isWithin(beside));
}

export function hrefInScope(destination: Destination, clusterId: string | null): string {
  return destination.isScoped && clusterId ? `${destination.href}?cluster=${clusterId}` : destination.href;
}
