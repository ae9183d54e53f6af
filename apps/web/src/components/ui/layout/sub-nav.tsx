"use client";
import { usePathname } from "next/navigation";
import { Link } from "../action/link.tsx";
import { classNames } from "../class-names.ts";

/** SubNav links the pages of one section of the navigation. */
export function SubNav({ label, pages }: { label: string; pages: readonly { href: string; label: string }[] }) {
  const path = usePathname();
  return (
    <nav aria-label={label} className="flex gap-1 overflow-x-auto border-b px-3 md:px-5 print:hidden">
      {pages.map((page) => {
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
