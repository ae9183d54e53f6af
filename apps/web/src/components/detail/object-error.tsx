"use client";
import { Button } from "@/components/ui/action/button.tsx";
import { ErrorState } from "@/components/ui/layout/error-state.tsx";
import { PageHeader } from "@/components/ui/layout/page-header.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { Link } from "../ui/action/link.tsx";

/** Shown if a detail page can't be loaded: the object doesn't exist, or the request failed. */
export function ObjectError(props: {
  error: unknown;
  /** The noun, such as "node". */
  noun: string;
  listHref: string;
  listLabel: string;
  onRetry: () => void;
}) {
  const problem = problemOf(props.error);
  const isGone = problem.code === "not-found" || problem.code === "invalid";
  return (
    <>
      <PageHeader title={isGone ? `There is no such ${props.noun}` : `This ${props.noun} could not be loaded`} />
      {isGone ? (
        <div className="flex max-w-xl flex-col items-start gap-4 px-4 text-sm md:px-6">
          <p className="text-muted">
            It was deleted, the URL is wrong, or it belongs to another organisation. Its history stays under Events.
          </p>
          <Button asChild>
            <Link href={props.listHref}>{props.listLabel}</Link>
          </Button>
        </div>
      ) : (
        <ErrorState what="Loading it failed" message={problem.message} onRetry={props.onRetry} />
      )}
    </>
  );
}
