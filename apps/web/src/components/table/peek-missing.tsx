import { problemOf } from "@/trpc/problem.ts";
import { Skeleton } from "../ui/layout/skeleton.tsx";

/** A peek whose object is loading or missing. */
export function PeekMissing({ error }: { error: unknown }) {
  if (error)
    return (
      <p role="alert" className="text-sm">
        {problemOf(error).message} It may have been deleted.
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
