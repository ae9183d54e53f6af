import { TextLink } from "../ui/action/text-link.tsx";
import { classNames } from "../ui/class-names.ts";
import type { DocsGroup } from "./docs-groups.ts";

/** The list of all pages. Long groups are closed, unless the current page is in them. */
export function DocsList({
  groups,
  current,
  label,
}: {
  groups: readonly DocsGroup[];
  current: string | null;
  label: string;
}) {
  return (
    <nav aria-label={label} className="flex flex-col gap-4 text-sm">
      {groups.map(({ title, pages }) => (
        <details key={title} open={title !== "Decisions" || pages.some(({ path }) => path === current)}>
          <summary className="py-1 text-muted text-xs">{title}</summary>
          <ul className="flex flex-col">
            {pages.map((page) => (
              <li key={page.path}>
                <TextLink
                  href={`/docs/${page.path}`}
                  aria-current={page.path === current ? "page" : undefined}
                  className={classNames(
                    "block rounded-md px-2 py-1",
                    page.path === current && "bg-selected font-medium",
                  )}
                >
                  {page.title}
                </TextLink>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </nav>
  );
}
