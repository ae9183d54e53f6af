import { CircleQuestionMark } from "lucide-react";
import { type DocsTopic, docsHref, docsTopics } from "./docs-topics.ts";

/** Links a field to its paragraph. It opens a new tab, so that no input is lost. */
export function DocsLink({ topic }: { topic: DocsTopic }) {
  return (
    <a
      href={docsHref(topic)}
      target="_blank"
      rel="noreferrer"
      className="touch-target inline-flex shrink-0 align-[-0.15em] rounded-sm text-muted hover:text-accent"
    >
      <CircleQuestionMark className="size-3.5" aria-hidden />
      <span className="sr-only">Docs: {docsTopics[topic].about} (new tab)</span>
    </a>
  );
}
