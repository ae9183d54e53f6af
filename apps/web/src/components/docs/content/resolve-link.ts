import path from "node:path";

export type DocsLink =
  | { kind: "page"; href: string }
  | { kind: "web"; href: string }
  /** A file that is not published. The repository's address is unknown here, so it is shown as text. */
  | { kind: "file"; file: string };

/** resolveLink finds what a link in a file leads to. pathOf returns the page of a published file. */
export function resolveLink(file: string, href: string, pathOf: (file: string) => string | undefined): DocsLink {
  if (/^https?:/.test(href)) return { kind: "web", href };
  const [target = "", anchor] = href.split("#");
  const linked = target === "" ? file : path.posix.join(path.posix.dirname(file), target);
  const page = pathOf(linked);
  if (page === undefined) return { kind: "file", file: linked };
  return { kind: "page", href: `/docs/${page}${anchor ? `#${anchor}` : ""}` };
}
