import { problemOf } from "@/trpc/problem.ts";
import { Skeleton } from "../ui/skeleton.tsx";

/** A peek without its object: still on its way, or gone. */
export function PeekMissing({ error }: { error: unknown }) {
  if (error)
    return (
      <p role="alert" className="text-sm">
        {problemOf(error).message} It may have been deleted since.
      </p>
    );
  return (
    <div className="flex flex-col gap-3" aria-busy="true">
      <Skeleton className="w-24" />
      <Skeleton className="w-64" />
      <Skeleton className="w-48" />
      <Skeleton className="w-56" />
    </div>
  );
}
