import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Blocks } from "./blocks.tsx";
import { parsePage } from "./parse-page.ts";
import { resolveLink } from "./resolve-link.ts";

function render(text: string): string {
  const { blocks } = parsePage("docs/a/x.md", "guides/x", `# Title\n\n${text}`);
  const pathOf = (file: string) => (file === "docs/a/lab.md" ? "guides/lab" : undefined);
  const html = renderToStaticMarkup(
    <Blocks blocks={blocks} resolve={(href) => resolveLink("docs/a/x.md", href, pathOf)} />,
  );
  return html.replace(/ class="[^"]*"/g, "").replace(/<svg.*?<\/svg>/g, "");
}

it.each([
  [
    "a heading links to itself",
    "## A step",
    '<h2 id="a-step"><a href="#a-step">A step<span aria-hidden="true">#</span></a></h2>',
  ],
  ["a link to a page", "[lab](lab.md#steps)", '<p><a href="/docs/guides/lab#steps">lab</a></p>'],
  ["a link to a file of the repository is text", "[it](../../a.ts)", "<p>it (<code>a.ts</code>)</p>"],
  ["a link with a script is text", "[it](javascript:x)", "<p>it (<code>docs/a/javascript:x</code>)</p>"],
  ["inline markup", "**a** *b* `c` ~~d~~", "<p><strong>a</strong> <em>b</em> <code>c</code> <del>d</del></p>"],
  ["HTML is shown, not inserted", "a <img src=x onerror=y>", "<p>a &lt;img src=x onerror=y&gt;</p>"],
  ["a comment is left out", "<!-- c -->\n\na", "<p>a</p>"],
  ["a list that starts later", "3. a\n4. b", '<ol start="3"><li>a</li><li>b</li></ol>'],
])("%s", (_, text, want) => {
  expect(render(text)).toBe(want);
});

it("what can be wider than the page scrolls, can be focused, and has a name", () => {
  expect(render("```\na\nb\n```")).toBe('<div role="group" tabindex="0" aria-label="Code: a"><pre>a\nb</pre></div>');
  expect(render("| a | b |\n|---|--:|\n| 1 | 2 |")).toContain(
    '<div role="group" tabindex="0" aria-label="Table: a, b"><table>',
  );
});

it("a flowchart is a list of its connections, and another diagram is code", () => {
  expect(render("```mermaid\nflowchart LR\n  A[one] -- by --> B[two]\n```")).toContain(
    "<li><span>one</span><span>by</span><span>to</span><span>two</span></li>",
  );
  expect(render("```mermaid\npie\n```")).toContain("<pre>pie</pre>");
});
