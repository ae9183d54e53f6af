"use client";
import { BookOpen } from "lucide-react";
import { usePathname } from "next/navigation";
import { Button } from "../ui/action/button.tsx";
import { docsHref, docsTopics } from "./docs-topics.ts";
import { topicOfPath } from "./page-topics.ts";

/** Links the page to its paragraph, in a new tab, so that its state is not lost. */
export function PageDocsLink() {
  const topic = topicOfPath(usePathname());
  if (!topic) return null;
  return (
    <Button asChild variant="quiet" className="-ml-3 text-muted last:-mr-3">
      <a href={docsHref(topic)} target="_blank" rel="noreferrer">
        <BookOpen aria-hidden />
        Docs
        <span className="sr-only">: {docsTopics[topic].about} (new tab)</span>
      </a>
    </Button>
  );
}
