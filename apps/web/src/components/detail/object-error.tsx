"use client";
import Link from "next/link";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { ErrorState } from "@/components/ui/error-state.tsx";
import { problemOf } from "@/trpc/problem.ts";

/** A detail page that can't be shown: the thing is gone, or it could not be read. */
export function ObjectError(props: {
  error: unknown;
  /** The noun, such as "node". */
  noun: string;
  listHref: string;
  listLabel: string;
  onRetry: () => void;
}) {
  const problem = problemOf(props.error);
  if (problem.code === "not-found" || problem.code === "invalid")
    return (
      <EmptyState
        title={`There is no such ${props.noun}`}
        actions={
          <Button asChild>
            <Link href={props.listHref}>{props.listLabel}</Link>
          </Button>
        }
      >
        It was deleted, or the address is mistyped, or it belongs to another organisation. Its events stay under Events.
      </EmptyState>
    );
  return <ErrorState what={`This ${props.noun} could not be read`} message={problem.message} onRetry={props.onRetry} />;
}
