"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { docsHits } from "../docs/docs-hit.ts";
import { useSettled } from "../ui/use-settled.ts";

/** usePaletteDocs searches the documentation: pages and their sections. */
export function usePaletteDocs(wanted: string): { name: string; href: string }[] {
  const search = useSettled(wanted);
  const { data } = useQuery({
    queryKey: ["docs", search],
    queryFn: ({ signal }) => fetchHits(search, signal),
    enabled: search !== "",
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (!wanted || !data) return [];
  return data.map(({ href, heading, page }) => ({ href, name: heading === page ? page : `${page} › ${heading}` }));
}

async function fetchHits(search: string, signal: AbortSignal) {
  const answer = await fetch(`/docs/search?q=${encodeURIComponent(search)}`, { signal });
  if (!answer.ok) throw new Error(`the search returned ${answer.status}`);
  return docsHits.parse(await answer.json()).hits;
}
