import { countOf } from "@/components/words/numbers.ts";

export type PauseAction = "pause" | "resume";

/** What pausing or resuming this many exposures stops, and what continues. */
export function PauseEffect({ action, count }: { action: PauseAction; count: number }) {
  const [its, they] = count === 1 ? ["its", "it is"] : ["their", "they are"];
  if (action === "resume")
    return (
      <p>
        The newest {count === 1 ? "spec is" : "specs are"} applied, new instances are exposed, and what was changed
        outside meanwhile is repaired. <strong>Connections to removed backends end.</strong>
      </p>
    );
  return (
    <>
      <p>
        <strong>Traffic continues.</strong> Health checks continue, and {its} state is still shown.
      </p>
      <p>
        Until {they} resumed, nothing is changed: new instances are not exposed, a lost replica is not replaced, damage
        is not repaired, and edits of the spec are only stored.{" "}
        {count === 1 ? "It" : `These ${countOf(count, "exposure")}`} can&apos;t be deleted meanwhile.
      </p>
    </>
  );
}
