import { TextLink } from "@/components/ui/text-link.tsx";
import { describeAbsence } from "./describe-absence.ts";

/** Why there are no figures; of what a cloud runs, with the way to where it is set up that there are. */
export function Absence({ isCarried, cloudOf }: { isCarried: boolean; cloudOf: string | null }) {
  return (
    <p className="text-muted text-sm">
      {describeAbsence({ isCarried, isCloud: cloudOf !== null })}{" "}
      {cloudOf === null ? null : (
        <TextLink href={`/clusters/${cloudOf}#cloud-metrics`} className="text-accent underline">
          See the cloud metrics of its cluster
        </TextLink>
      )}
    </p>
  );
}
