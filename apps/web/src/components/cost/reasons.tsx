import { clusterSettingPath } from "@fairlead/domain/cluster";
import { TextLink } from "@/components/ui/action/text-link.tsx";

/** The sections of a cluster in which a missing value can be set, by the name that reasons use. */
const cures = [
  ['"Runs as"', "runs-as"],
  ['"Cloud metrics"', "cloud-metrics"],
] as const;

/** The unknown parts of a cost, each with a link to the setting that is missing. */
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
              <TextLink
                href={clusterSettingPath(cure[1], clusterId)}
                className="whitespace-nowrap text-accent underline"
              >
                Open setting
              </TextLink>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}
