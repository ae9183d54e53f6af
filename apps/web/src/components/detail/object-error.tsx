"use client";
import { Button } from "@/components/ui/button.tsx";
import { ErrorState } from "@/components/ui/error-state.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { Link } from "../ui/link.tsx";

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
  const isGone = problem.code === "not-found" || problem.code === "invalid";
  return (
    <>
      <PageHeader title={isGone ? `There is no such ${props.noun}` : `This ${props.noun} could not be read`} />
      {isGone ? (
        <div className="flex max-w-xl flex-col items-start gap-4 px-4 text-sm md:px-6">
          <p className="text-muted">
            It was deleted, or the address is mistyped, or it belongs to another organisation. What happened to it stays
            under Events.
          </p>
          <Button asChild>
            <Link href={props.listHref}>{props.listLabel}</Link>
          </Button>
        </div>
      ) : (
        <ErrorState what="Reading it failed" message={problem.message} onRetry={props.onRetry} />
      )}
    </>
  );
}
