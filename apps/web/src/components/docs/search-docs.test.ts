import { expect, it } from "vitest";
import { parsePage } from "./content/parse-page.ts";
import { searchDocs } from "./search-docs.ts";

const pages = [
  parsePage("docs/a.md", "a", "# Costs\n\nWhat a drain costs.\n\n## Limits\n\nNone."),
  parsePage(
    "docs/b.md",
    "b",
    `# Routing\n\nBGP.\n\n## Drain a node\n\n${"Text before. ".repeat(20)}The limits of BFD.`,
  ),
];
const decided = parsePage("docs/d.md", "decisions/1", "# Why\n\nBGP.");
const found = (query: string, limit = 10) => searchDocs(pages, query, limit).map(({ href }) => href);

it.each([
  ["a title, before the sections of its page and texts", "costs", ["/docs/a", "/docs/a#limits"]],
  ["a heading before a text", "drain", ["/docs/b#drain-a-node", "/docs/a"]],
  ["words of the page and the heading", "routing node", ["/docs/b#drain-a-node"]],
  ["all words, in any order and case", "BFD text", ["/docs/b#drain-a-node"]],
  ["nothing for other words", "costs kangaroo", []],
  ["nothing for no words", "  ", []],
])("finds %s", (_, query, want) => {
  expect(found(query)).toEqual(want);
});

it("finds guides before decisions", () => {
  const all = searchDocs([decided, parsePage("docs/c.md", "guides/c", "# How\n\nBGP.")], "bgp", 10);
  expect(all.map(({ href }) => href)).toEqual(["/docs/guides/c", "/docs/decisions/1"]);
});

it("finds a part of a word in a heading like one in a text", () => {
  const all = searchDocs([parsePage("docs/d.md", "decisions/2", "# GoBGP's queue\n\nIt."), ...pages], "bgp", 10);
  expect(all.map(({ href }) => href)).toEqual(["/docs/b", "/docs/decisions/2"]);
});

it("shows a flowchart as its texts", () => {
  const page = parsePage(
    "docs/f.md",
    "f",
    "# Flow\n\n```mermaid\nflowchart LR\n  A[client] -- packet --> B[balancer]\n```\n",
  );
  expect(searchDocs([page], "packet", 1)[0]?.snippet.trim()).toBe("client packet balancer");
});

it("returns at most as many as wanted", () => {
  expect(found("costs", 1)).toEqual(["/docs/a"]);
});

it("shows the text around the match", () => {
  const [hit] = searchDocs(pages, "bfd", 1);
  expect(hit).toEqual({
    href: "/docs/b#drain-a-node",
    page: "Routing",
    heading: "Drain a node",
    snippet: "… Text before. Text before. The limits of BFD.",
  });
});

it("cuts a long text between words", () => {
  const [hit] = searchDocs([parsePage("docs/c.md", "c", `# Words\n\n${"several words ".repeat(30)}`)], "words", 1);
  expect(hit?.snippet).toMatch(/^several words .* (several|words) …$/);
});
