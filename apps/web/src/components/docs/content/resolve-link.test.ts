import { expect, it } from "vitest";
import { resolveLink } from "./resolve-link.ts";

const pages: Record<string, string> = {
  "docs/a/lab.md": "guides/lab",
  "docs/b/costs.md": "reference/costs",
};

it.each([
  ["lab.md", { kind: "page", href: "/docs/guides/lab" }],
  ["../b/costs.md#price-feeds", { kind: "page", href: "/docs/reference/costs#price-feeds" }],
  ["#steps", { kind: "page", href: "/docs/guides/lab#steps" }],
  ["../../packages/domain/src", { kind: "file", file: "packages/domain/src" }],
  ["https://turborepo.dev", { kind: "web", href: "https://turborepo.dev" }],
  ["javascript:alert(1)", { kind: "file", file: "docs/a/javascript:alert(1)" }],
])("the link %s", (href, want) => {
  expect(resolveLink("docs/a/lab.md", href, (file) => pages[file])).toEqual(want);
});
