import { Button } from "@/components/ui/action/button.tsx";
import { problemOf } from "@/trpc/problem.ts";

/** Shown in place of a table that could not be loaded. */
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
