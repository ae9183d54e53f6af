import { TextLink } from "@/components/ui/text-link.tsx";

const cure = '"Runs as"';

/** What of a cost is unknown, each with the way to where it can be told. */
export function Reasons({ reasons, clusterId }: { reasons: readonly string[]; clusterId?: string }) {
  if (reasons.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1">
      {reasons.map((reason) => (
        <li key={reason} className="max-w-prose text-warn">
          {reason}{" "}
          {clusterId && reason.includes(cure) ? (
            <TextLink href={`/clusters/${clusterId}#runs-as`} className="whitespace-nowrap text-accent">
              Tell it
            </TextLink>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
