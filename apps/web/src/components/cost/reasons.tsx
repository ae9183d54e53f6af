import { TextLink } from "@/components/ui/text-link.tsx";

/** Where what is unknown can be told: the sections of a cluster that reasons name. */
const cures = [
  ['"Runs as"', "runs-as"],
  ['"Cloud metrics"', "cloud-metrics"],
] as const;

/** What of a cost is unknown, each with the way to where it can be told. */
export function Reasons({ reasons, clusterId }: { reasons: readonly string[]; clusterId?: string }) {
  if (reasons.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1">
      {reasons.map((reason) => {
        const cure = cures.find(([name]) => reason.includes(name));
        return (
          <li key={reason} className="max-w-prose text-warn">
            {reason}{" "}
            {clusterId && cure ? (
              <TextLink href={`/clusters/${clusterId}#${cure[1]}`} className="whitespace-nowrap text-accent">
                Tell it
              </TextLink>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}
