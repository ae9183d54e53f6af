import type { Metadata } from "next";
import { DocsStart } from "@/components/docs/docs-start.tsx";

type Query = { searchParams: Promise<{ q?: string | string[] }> };

export async function generateMetadata({ searchParams }: Query): Promise<Metadata> {
  const query = queryOf(await searchParams);
  return { title: query ? `Search “${query}”` : { absolute: "Docs · Fairlead" } };
}

export default async function Page({ searchParams }: Query) {
  return <DocsStart query={queryOf(await searchParams)} />;
}

function queryOf({ q }: { q?: string | string[] }): string {
  return typeof q === "string" ? q.trim().slice(0, 200) : "";
}
