import { clusterSettingPath } from "@fairlead/domain/cluster";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { describeAbsence } from "./describe-absence.ts";

/** Why there are no metrics. For a cloud load balancer, it links to the setting that enables them. */
export function Absence({ isCarried, cloudOf }: { isCarried: boolean; cloudOf: string | null }) {
  return (
    <p className="text-muted text-sm">
      {describeAbsence({ isCarried, isCloud: cloudOf !== null })}{" "}
      {cloudOf === null ? null : (
        <TextLink href={clusterSettingPath("cloud-metrics", cloudOf)} className="text-accent underline">
          View the cloud metrics of its cluster
        </TextLink>
      )}
    </p>
  );
}
