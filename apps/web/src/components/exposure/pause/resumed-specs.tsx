"use client";
import { useQueries } from "@tanstack/react-query";
import type { Picked } from "@/components/table/use-selection.ts";
import { countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { changesSincePause, ResumeChanges } from "./resume-changes.tsx";

/** More than a reader compares. Each is a request. */
const mostCompared = 20;

/** What resuming changes of each of the selected exposures, whose specs may have been edited since their pause. */
export function ResumedSpecs({ exposures }: { exposures: readonly Picked[] }) {
  const trpc = useTRPC();
  const compared = exposures.slice(0, mostCompared);
  const queries = useQueries({ queries: compared.map(({ id }) => trpc.exposure.get.queryOptions({ id })) });
  if (queries.some((each) => each.isPending)) return <p role="status">Comparing the specs…</p>;
  const read = queries.flatMap((each) => each.data ?? []);
  const changed = read.filter((each) => changesSincePause(each).length > 0);
  const left = exposures.length - read.length;
  return (
    <>
      {changed.length > 0 ? (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard has to scroll it
          tabIndex={0}
          aria-label="Changes since the pause"
          className="flex max-h-64 flex-col gap-3 overflow-y-auto rounded-md border px-3 py-2"
        >
          {changed.map((each) => (
            <ResumeChanges key={each.id} exposure={each} title={`Changes of ${each.name} since the pause`} />
          ))}
        </section>
      ) : read.length > 0 ? (
        <p>{read.length === 1 ? "Its spec was not edited" : "Their specs were not edited"} since the pause.</p>
      ) : null}
      {left > 0 ? (
        <p>
          {`${countOf(left, "exposure")} ${left === 1 ? "is" : "are"} not compared. Resume on the page of an exposure lists what changes.`}
        </p>
      ) : null}
    </>
  );
}
