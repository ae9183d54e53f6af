import { expect, it } from "vitest";
import { parsePage } from "./parse-page.ts";

const text = `# Tunnels & *pods*

First, with a [link](routing.md) and \`code\`.

## Steps

1. Run:

   \`\`\`
   ip address add
   \`\`\`
2. Look.

<!-- a note -->

## Steps

| a | b |
|---|---|
| **one** | two |

### The kernel's \`tbf\`
`;

it("a page has a title, a summary, and an anchor for each heading by the rules of Git hosts", () => {
  const page = parsePage("docs/a/x.md", "guides/x", text);
  expect(page.title).toBe("Tunnels & pods");
  expect(page.summary).toBe("First, with a link and code.");
  expect(page.headings).toEqual([
    { id: "steps", text: "Steps", depth: 2 },
    { id: "steps-1", text: "Steps", depth: 2 },
    { id: "the-kernels-tbf", text: "The kernel's tbf", depth: 3 },
  ]);
});

it("the text of a section contains lists, code and tables, and no comments", () => {
  expect(parsePage("docs/a/x.md", "guides/x", text).sections).toEqual([
    { id: null, heading: "Tunnels & pods", text: "First, with a link and code." },
    { id: "steps", heading: "Steps", text: "Run: ip address add Look." },
    { id: "steps-1", heading: "Steps", text: "a b one two" },
    { id: "the-kernels-tbf", heading: "The kernel's tbf", text: "" },
  ]);
});
