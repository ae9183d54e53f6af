import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { DocsArticle } from "@/components/docs/docs-article.tsx";
import { findDocsPage } from "@/server/docs.ts";

type Props = { params: Promise<{ path: string[] }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const page = await findDocsPage((await params).path.join("/"));
  return page ? { title: page.title, description: page.summary } : {};
}

export default async function Page({ params }: Props) {
  const page = await findDocsPage((await params).path.join("/"));
  if (!page) notFound();
  return <DocsArticle page={page} />;
}
