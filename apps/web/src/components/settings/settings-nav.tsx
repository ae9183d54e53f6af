"use client";
import { usePathname } from "next/navigation";
import { useSession } from "@/components/frame/session.tsx";
import { classNames } from "@/components/ui/class-names.ts";
import { Link } from "../ui/link.tsx";

const pages = [
  { href: "/settings", label: "You" },
  { href: "/settings/members", label: "Members" },
  { href: "/settings/api-keys", label: "API keys" },
  { href: "/settings/identity-providers", label: "Sign-in" },
] as const;

/** The pages of the settings. */
export function SettingsNav() {
  const path = usePathname();
  const { permissions } = useSession();
  const links = [...pages, ...(permissions.includes("audit:read") ? [{ href: "/audit", label: "Audit" }] : [])];
  return (
    <nav aria-label="Settings" className="flex gap-1 overflow-x-auto border-b px-3 md:px-5">
      {links.map((page) => {
        const current = path === page.href;
        return (
          <Link
            key={page.href}
            href={page.href}
            aria-current={current ? "page" : undefined}
            className={classNames(
              "-mb-px whitespace-nowrap border-b-2 border-transparent px-2 py-2 text-muted text-sm hover:text-ink",
              current && "border-accent font-medium text-ink",
            )}
          >
            {page.label}
          </Link>
        );
      })}
    </nav>
  );
}
