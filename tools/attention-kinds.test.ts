import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { attentionKindNames, attentionKinds } from "../packages/domain/src/attention/index.ts";

const root = path.resolve(import.meta.dirname, "..");
const docs = readFileSync(path.join(root, "docs/reference/dashboard.md"), "utf8");
const [, section = ""] = docs.split("### Needs attention");

describe("what needs attention", () => {
  it("is explained in the documentation, with the words and the action of each kind", () => {
    const rows = [...section.matchAll(/^\| \*(.+?)\* \| .+ \| \*\*(.+?)\*\*/gm)].map(([, word, label]) => [
      word,
      label,
    ]);
    expect(rows).toEqual(
      attentionKindNames.map((kind) => [attentionKinds[kind].word, attentionKinds[kind].action.label]),
    );
  });

  it.each(attentionKindNames)("links pages that exist: %s", (kind) => {
    const { action, list } = attentionKinds[kind];
    const at = { subjectId: "[id]", clusterId: "[id]" };
    for (const link of [action.path(at), list]) {
      const [page = ""] = link.split(/[?#]/);
      expect(existsSync(path.join(root, "apps/web/src/app/(console)", page, "page.tsx")), link).toBe(true);
    }
  });
});
