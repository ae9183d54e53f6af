"use client";
import { useSession } from "@/components/frame/session.tsx";
import { SubNav } from "@/components/ui/layout/sub-nav.tsx";

const pages = [
  { href: "/settings", label: "You" },
  { href: "/settings/members", label: "Members" },
  { href: "/settings/api-keys", label: "API keys" },
  { href: "/settings/identity-providers", label: "Sign-in" },
] as const;

/** The navigation of the settings. */
export function SettingsNav() {
  const { permissions } = useSession();
  const audit = permissions.includes("audit:read") ? [{ href: "/audit", label: "Audit" }] : [];
  return <SubNav label="Settings" pages={[...pages, ...audit]} />;
}
