import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import config from "../../next.config.ts";
import { parseFlow } from "../components/docs/content/flow.ts";
import type { DocsPage } from "../components/docs/content/parse-page.ts";
import { knownTokens } from "../components/docs/content/plain-text.ts";
import { resolveLink } from "../components/docs/content/resolve-link.ts";
import { firstPage, groupDocs } from "../components/docs/docs-groups.ts";
import { type DocsTopic, docsHref, docsTopics } from "../components/docs/docs-topics.ts";
import { pageTopics, topicOfPath } from "../components/docs/page-topics.ts";
import { readDocs } from "./read-docs.ts";

const web = path.resolve(import.meta.dirname, "../..");
const root = path.resolve(web, "../..");
const pages = await readDocs(root);
const pathOf = new Map(pages.map(({ file, path }) => [file, path]));
/** Every address below /docs: pages, and the paragraphs in them. */
const addresses = new Set(
  pages.flatMap(({ path, headings }) => [`/docs/${path}`, ...headings.map(({ id }) => `/docs/${path}#${id}`)]),
);

it("every Markdown file of docs is a page with a title, in exactly one group", () => {
  expect(pages.map(({ path }) => path)).toContain("reference/glossary");
  expect(pages.filter(({ title, summary }) => !title || !summary).map(({ file }) => file)).toEqual([]);
  const grouped = groupDocs(pages).flatMap((group) => group.pages.map(({ path }) => path));
  expect(grouped.toSorted()).toEqual(pages.map(({ path }) => path).toSorted());
  expect(grouped[0]).toBe(firstPage);
});

it.each(pages.map((page) => [page.file, page] as const))("every link and picture of %s can be shown", (_, page) => {
  const broken = linksOf(page).filter((href) => {
    const link = resolveLink(page.file, href, (file) => pathOf.get(file));
    if (link.kind === "page") return !addresses.has(link.href);
    return link.kind === "file" && !existsSync(path.join(root, link.file));
  });
  expect(broken).toEqual([]);
  const charts = page.blocks.filter(({ token }) => token.type === "code" && token.lang === "mermaid");
  expect(charts.filter(({ token }) => parseFlow("text" in token ? token.text : "") === null)).toEqual([]);
});

it("the output of a build and the container image contain every page", () => {
  const files = pages.map(({ file }) => file);
  const patterns = config.outputFileTracingIncludes?.["/docs/**"] ?? [];
  const isTraced = (file: string) =>
    patterns.some((pattern) => path.matchesGlob(path.join(root, file), path.join(web, pattern)));
  expect(files.filter((file) => !isTraced(file))).toEqual([]);
  const ignored = readFileSync(path.join(root, ".dockerignore"), "utf8").split("\n").filter(Boolean);
  const isIgnored = (file: string) =>
    ignored.some((pattern) => path.matchesGlob(file, pattern) || path.matchesGlob(file, `${pattern}/**`));
  expect(files.filter(isIgnored)).toEqual([]);
});

it.each(Object.keys(docsTopics) as DocsTopic[])("the paragraph exists that the dashboard links to for %s", (topic) => {
  expect(addresses).toContain(docsHref(topic));
});

it("every page outside the documentation links to a paragraph", () => {
  const routes = readdirSync(path.join(web, "src/app"), { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "page.tsx")
    // A folder in round brackets is no part of the address.
    .map((file) => `/${path.dirname(file)}`.replace(/\/\([^/]+\)/g, "") || "/")
    .filter((route) => !/^\/docs(\/|$)/.test(route));
  expect(routes).toContain("/calculator");
  expect(Object.keys(pageTopics).toSorted()).toEqual(routes.toSorted());
});

it("every topic is that of a page, a field or a section", () => {
  const used = new Set([
    ...Object.values(pageTopics),
    ...readdirSync(path.join(web, "src"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".tsx") && !file.endsWith(".test.tsx"))
      .flatMap((file) => linkedTopics(readFileSync(path.join(web, "src", file), "utf8"))),
  ]);
  expect(Object.keys(docsTopics).filter((topic) => !used.has(topic))).toEqual([]);
});

it.each([
  ["/exposures/new", "strategies"],
  ["/exposures/exp_1", "exposures"],
  ["/nodes/node_1", "nodes"],
  ["/nodes/node_1/more", null],
  ["/password", "signIn"],
  ["/invitations/fl_1", "members"],
  ["/docs", null],
])("the topic of %s is %s", (address, topic) => {
  expect(topicOfPath(address)).toBe(topic);
});

it("a topic is found where a component is given one, and nowhere else", () => {
  const source = `
    <Field label="Ports" docs="ports" hint="engines">
    <Field docs={isFirst ? "labels" : null}>
    const dialog = { title: "budgets", docs: "runsAs" };
    <DocsLink topic="members" /> {events("audit", { topic: "routing" })}`;
  expect(linkedTopics(source)).toEqual(["ports", "labels", "runsAs", "members"]);
});

/** linkedTopics returns the topics that components of a source file are given. */
function linkedTopics(source: string): string[] {
  const given = source.matchAll(/\b(?:docs=|docs: |DocsLink topic=)("\w+"|\{[^}]*\})/g);
  return [...given].flatMap(([, value = ""]) => [...value.matchAll(/"(\w+)"/g)].map(([, topic = ""]) => topic));
}

function linksOf(page: DocsPage): string[] {
  const links: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if ("type" in value && value.type === "link" && "href" in value) links.push(String(value.href));
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(page.blocks.map(({ token }) => knownTokens([token])));
  return links;
}
