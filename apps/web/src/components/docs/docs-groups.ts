import type { DocsPage } from "./content/parse-page.ts";

export type DocsGroup = { title: string; pages: readonly DocsPage[] };

/** The first page to read, which is at the top of the list. */
export const firstPage = "guides/first-hour";

const groups = [
  { title: "Start", has: (page: string) => page === firstPage },
  { title: "Guides", has: (page: string) => page.startsWith("guides/") && page !== firstPage },
  { title: "Reference", has: (page: string) => page.startsWith("reference/") },
  { title: "Contributing", has: (page: string) => !page.includes("/") },
  { title: "Decisions", has: (page: string) => page.startsWith("decisions/") },
] as const;

/** groupIndexOf returns the position of a page's group. */
export function groupIndexOf(page: DocsPage): number {
  return groups.findIndex(({ has }) => has(page.path));
}

/** groupDocs sorts pages into the groups of the list of pages. */
export function groupDocs(pages: readonly DocsPage[]): DocsGroup[] {
  return groups.map(({ title, has }) => {
    const own = pages.filter((page) => has(page.path));
    // Decisions have numbers in their paths.
    if (title !== "Decisions") own.sort((one, other) => one.title.localeCompare(other.title));
    return { title, pages: own };
  });
}
