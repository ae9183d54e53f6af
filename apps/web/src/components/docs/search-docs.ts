import type { DocsPage, DocsSection } from "./content/parse-page.ts";
import { groupIndexOf } from "./docs-groups.ts";
import type { DocsHit } from "./docs-hit.ts";

export const maxQueryLength = 200;
const snippetLength = 140;
const beforeMatch = 40;

/**
 * searchDocs returns the sections that contain all words: first those whose heading does, then those whose heading and page
 * title do, then the others. Guides and references are before decisions.
 */
export function searchDocs(pages: readonly DocsPage[], query: string, limit: number): DocsHit[] {
  const words = query.slice(0, maxQueryLength).toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found = pages.flatMap((page) =>
    page.sections.map((section) => ({ page, section, rank: rankOf(page, section, words) })),
  );
  return found
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank || groupIndexOf(one.page) - groupIndexOf(other.page))
    .slice(0, limit)
    .map(({ page, section }) => ({
      href: `/docs/${page.path}${section.id ? `#${section.id}` : ""}`,
      page: page.title,
      heading: section.heading,
      snippet: snippetOf(section.text, words),
    }));
}

function rankOf(page: DocsPage, section: DocsSection, words: readonly string[]): number {
  const heading = section.heading.toLowerCase();
  const titled = `${page.title} ${heading}`.toLowerCase();
  const whole = `${titled} ${section.text.toLowerCase()}`;
  if (!words.every((word) => whole.includes(word))) return 0;
  // In a heading, only the start of a word counts: GoBGP's queue is not about BGP.
  const isIn = (text: string) => words.every((word) => spaced(text).includes(spaced(word).trimEnd()));
  if (isIn(heading)) return section.id ? 3 : 4;
  return isIn(titled) ? 2 : 1;
}

/** spaced has one space on each side of each word. */
function spaced(text: string): string {
  return ` ${text.replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `;
}

/** snippetOf returns the text around the first match. */
function snippetOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const at = Math.max(
    0,
    Math.min(...words.map((word) => lower.indexOf(word)).filter((index) => index >= 0), text.length),
  );
  const isFound = at < text.length;
  const start = isFound && at > beforeMatch ? text.lastIndexOf(" ", at - beforeMatch) + 1 : 0;
  const end = start + snippetLength;
  const isCut = end < text.length;
  const shown = text.slice(start, isCut ? text.lastIndexOf(" ", end) : end);
  return `${start > 0 ? "… " : ""}${shown}${isCut ? " …" : ""}`;
}
