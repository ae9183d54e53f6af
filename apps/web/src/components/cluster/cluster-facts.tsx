import type { Cluster } from "@fairlead/domain/cluster";
import { Facts } from "@/components/table/facts.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { Badge } from "@/components/ui/status/badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { clusterKindWords } from "@/components/words/clusters.ts";

/** The properties of a cluster that users have set. */
export function ClusterFacts({ cluster }: { cluster: Cluster }) {
  const labels = Object.entries(cluster.labels);
  return (
    <Facts
      rows={[
        ["Kind", clusterKindWords[cluster.kind].line],
        ["Region", cluster.region || <span className="text-muted">not set</span>],
        [
          "Labels",
          labels.length > 0 ? (
            <span key="labels" className="flex flex-wrap gap-1">
              {labels.map(([name, value]) => (
                <Badge key={name}>{value ? `${name}=${value}` : name}</Badge>
              ))}
            </span>
          ) : null,
        ],
        ["Created", <Age key="created" at={cluster.createdAt} />],
        ["Changed", <Age key="updated" at={cluster.updatedAt} />],
        ["ID", <Mono key="id">{cluster.id}</Mono>],
      ]}
    />
  );
}
