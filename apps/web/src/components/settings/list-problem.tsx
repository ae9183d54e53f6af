import { Button } from "@/components/ui/button.tsx";
import { problemOf } from "@/trpc/problem.ts";

/** A table that could not be read, in the place of the table. */
export function ListProblem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 py-2 text-sm">
      {problemOf(error).message}
      <Button size="sm" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
