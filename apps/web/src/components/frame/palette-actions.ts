"use client";
import type { Permission } from "@fairlead/domain/access";
import {
  Boxes,
  Coins,
  FlaskConical,
  Keyboard,
  KeyRound,
  LogIn,
  type LucideIcon,
  Moon,
  Network,
  Pause,
  Play,
  Plus,
  Server,
  Sun,
  Users,
} from "lucide-react";
import { useTheme } from "next-themes";
import { useLive } from "@/live/live-provider.tsx";
import { useSession } from "./session.tsx";
import { openShortcutsHelp } from "./shortcuts.tsx";

export type PaletteAction = {
  label: string;
  icon: LucideIcon;
  permission?: Permission;
  href?: string;
  run?: () => void;
};

/** The global actions that the user is allowed to run. */
export function usePaletteActions(): PaletteAction[] {
  const { permissions } = useSession();
  const { resolvedTheme, setTheme } = useTheme();
  const live = useLive();
  const isDark = resolvedTheme === "dark";
  const actions: PaletteAction[] = [
    { label: "Create exposure", icon: Plus, permission: "exposure:write", href: "/exposures/new" },
    { label: "Add node", icon: Server, permission: "node:write", href: "/nodes?add=true" },
    { label: "Create cluster", icon: Boxes, permission: "cluster:write", href: "/clusters?create=true" },
    {
      label: "Create address pool",
      icon: Network,
      permission: "address-pool:write",
      href: "/address-pools?create=true",
    },
    { label: "Start experiment", icon: FlaskConical, permission: "cluster:write", href: "/experiments?start=true" },
    { label: "View experiments", icon: FlaskConical, permission: "cluster:read", href: "/experiments" },
    { label: "View running cost", icon: Coins, href: "/costs/running" },
    { label: "View price book", icon: Coins, href: "/costs/price-book" },
    { label: "View price refreshes", icon: Coins, href: "/costs/prices" },
    { label: "View members", icon: Users, href: "/settings/members" },
    { label: "View API keys", icon: KeyRound, href: "/settings/api-keys" },
    { label: "View identity providers", icon: LogIn, href: "/settings/identity-providers" },
    live.paused
      ? { label: "Resume live updates", icon: Play, run: live.resume }
      : { label: "Pause live updates", icon: Pause, run: live.pause },
    {
      label: isDark ? "Use the light theme" : "Use the dark theme",
      icon: isDark ? Sun : Moon,
      run: () => setTheme(isDark ? "light" : "dark"),
    },
    { label: "Show keyboard shortcuts", icon: Keyboard, run: openShortcutsHelp },
  ];
  return actions.filter(({ permission }) => !permission || permissions.includes(permission));
}
