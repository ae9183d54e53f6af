import "server-only";
import path from "node:path";
import type { DocsPage } from "../components/docs/content/parse-page.ts";
import { isDevelopment } from "../env.ts";
import { readDocs } from "./read-docs.ts";

/** The server runs in apps/web, also in the standalone output, which contains the files by next.config.ts. */
const root = path.join(/* turbopackIgnore: true */ process.cwd(), "../..");

let read: Promise<readonly DocsPage[]> | undefined;

/** docs returns all pages. They are read once; in development at each request, so that an edit is shown. */
export function docs(): Promise<readonly DocsPage[]> {
  if (isDevelopment || !read) read = readDocs(root);
  // A failure isn't kept: the next request reads again.
  read.catch(() => {
    read = undefined;
  });
  return read;
}

export async function findDocsPage(pagePath: string): Promise<DocsPage | null> {
  return (await docs()).find((page) => page.path === pagePath) ?? null;
}
