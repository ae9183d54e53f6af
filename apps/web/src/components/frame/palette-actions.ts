"use client";
import type { Permission } from "@fairlead/domain/access";
import {
  Boxes,
  FlaskConical,
  Keyboard,
  type LucideIcon,
  Moon,
  Network,
  Pause,
  Play,
  Plus,
  Server,
  Sun,
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
