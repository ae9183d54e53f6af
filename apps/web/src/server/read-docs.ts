import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type DocsPage, parsePage } from "../components/docs/content/parse-page.ts";

/** Files outside docs/ that are pages too, and their paths. */
const others: Record<string, string> = { "packages/client/README.md": "guides/client" };

/** readDocs reads all pages of the repository's documentation, in the order of their paths. */
export async function readDocs(root: string): Promise<DocsPage[]> {
  const found = await readdir(path.join(root, "docs"), { recursive: true });
  const files = found.filter((file) => file.endsWith(".md")).map((file) => `docs/${file.split(path.sep).join("/")}`);
  const pages = await Promise.all(
    [...files, ...Object.keys(others)].map(async (file) =>
      parsePage(file, pathOfFile(file), await readFile(path.join(root, file), "utf8")),
    ),
  );
  return pages.sort((one, other) => one.path.localeCompare(other.path));
}

function pathOfFile(file: string): string {
  return others[file] ?? file.replace(/^docs\//, "").replace(/\.md$/, "");
}
