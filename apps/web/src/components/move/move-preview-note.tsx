import type { MovePreview } from "@fairlead/domain/move";

/** What a move would do: its steps, its cost before, during and after, and what breaks. */
export function MovePreviewNote({ preview, problem }: { preview: MovePreview | undefined; problem: string | null }) {
  return (
    <section aria-label="Preview" className="flex flex-col gap-2 border-t pt-3 text-sm">
      {problem ? <p className="text-bad">{problem}</p> : null}
      {!preview && !problem ? <p className="text-muted">The preview shows steps, cost and what breaks.</p> : null}
      {preview && !problem ? (
        <>
          <p>
            From {preview.fromClusterName} to {preview.toClusterName} in at least {preview.leastSeconds} s:{" "}
            {preview.steps.map(({ share, afterSeconds }) => `${share} % after ${afterSeconds} s`).join(", ")}.
          </p>
          <p>{describeCost(preview.cost)}</p>
          <ul className="list-disc pl-5">
            {[...preview.warnings, ...preview.breaks].map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </>
      ) : null}
    </section>
  );
}

export function describeCost(cost: MovePreview["cost"]): string {
  const { beforeHourlyMicros: before, duringHourlyMicros: during, afterHourlyMicros: after } = cost;
  const spell = (micros: number | null) =>
    micros === null ? "unknown" : `${(micros / 1_000_000).toFixed(4)} ${cost.currency}`;
  const reason = cost.reason ? ` ${cost.reason}` : "";
  return `Cost of an hour without traffic: ${spell(before)} before, ${spell(during)} during, ${spell(after)} after.${reason}`;
}
