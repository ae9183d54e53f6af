import { Marked, type MarkedToken } from "marked";
import { headingIds } from "./heading-ids.ts";
import { knownTokens, plainText } from "./plain-text.ts";

export type DocsHeading = { id: string; text: string; depth: number };
/** A heading with the text below it. The first one is the page's title, without an anchor. */
export type DocsSection = { id: string | null; heading: string; text: string };
export type DocsBlock = { token: MarkedToken; id: string | null };

export type DocsPage = {
  /** In the repository: docs/guides/routing.md. */
  file: string;
  /** Below /docs: guides/routing. */
  path: string;
  title: string;
  /** The first paragraph. */
  summary: string;
  headings: readonly DocsHeading[];
  sections: readonly DocsSection[];
  blocks: readonly DocsBlock[];
};

const markdown = new Marked({ gfm: true });

/** parsePage reads one Markdown file. Its title is the first heading. */
export function parsePage(file: string, path: string, text: string): DocsPage {
  const idOf = headingIds();
  const blocks: DocsBlock[] = [];
  const headings: DocsHeading[] = [];
  const sections: { id: string | null; heading: string; texts: string[] }[] = [];
  for (const token of knownTokens(markdown.lexer(text))) {
    if (token.type !== "heading") {
      blocks.push({ token, id: null });
      sections.at(-1)?.texts.push(plainText([token]).trim());
      continue;
    }
    const heading = plainText([token]).trim();
    const id = idOf(heading);
    if (token.depth === 1) {
      sections.push({ id: null, heading, texts: [] });
      continue;
    }
    blocks.push({ token, id });
    headings.push({ id, text: heading, depth: token.depth });
    sections.push({ id, heading, texts: [] });
  }
  const summary = blocks.find(({ token }) => token.type === "paragraph");
  return {
    file,
    path,
    title: sections[0]?.heading ?? path,
    summary: summary ? plainText([summary.token]).trim() : "",
    headings,
    sections: sections.map(({ id, heading, texts }) => ({ id, heading, text: texts.filter(Boolean).join(" ") })),
    blocks,
  };
}
