import { docs } from "@/server/docs.ts";
import { Blocks } from "./content/blocks.tsx";
import type { DocsHeading, DocsPage } from "./content/parse-page.ts";
import { resolveLink } from "./content/resolve-link.ts";
import { DocsFrame } from "./docs-frame.tsx";

const fewest = 2;

/** One page of the documentation. */
export async function DocsArticle({ page }: { page: DocsPage }) {
  const pathOf = new Map((await docs()).map(({ file, path }) => [file, path]));
  const hasContents = page.headings.length >= fewest;
  return (
    <DocsFrame
      current={page.path}
      contents={hasContents ? <Contents headings={page.headings} label="On this page" /> : null}
    >
      <article>
        <h1 className="font-semibold text-2xl tracking-tight">{page.title}</h1>
        {hasContents ? (
          <details className="mt-3 rounded-md border px-3 py-2 xl:hidden">
            <summary className="font-medium text-sm">On this page</summary>
            <div className="pt-2">
              <Contents headings={page.headings} label="On this page" />
            </div>
          </details>
        ) : null}
        <Blocks blocks={page.blocks} resolve={(href) => resolveLink(page.file, href, (file) => pathOf.get(file))} />
      </article>
    </DocsFrame>
  );
}

function Contents({ headings, label }: { headings: readonly DocsHeading[]; label: string }) {
  return (
    <nav aria-label={label} className="text-sm">
      <p className="py-1 text-muted text-xs max-xl:hidden">On this page</p>
      <ul className="flex flex-col">
        {headings.map(({ id, text, depth }) => (
          <li key={id} className={depth > 2 ? "pl-3" : ""}>
            <a href={`#${id}`} className="block py-1 text-muted underline-offset-2 hover:text-ink hover:underline">
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
