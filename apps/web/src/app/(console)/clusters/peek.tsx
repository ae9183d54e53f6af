"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import { useQuery } from "@tanstack/react-query";
import { describeNodes } from "@/components/cluster/describe-cluster.ts";
import { RecentEvents } from "@/components/event/recent-events.tsx";
import { Facts } from "@/components/table/facts.tsx";
import { PeekMissing } from "@/components/table/peek-missing.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { Badge } from "@/components/ui/status/badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { clusterKindWords } from "@/components/words/clusters.ts";
import { countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";

export function ClusterPeek({
  id,
  row,
  onEdit,
  onDelete,
}: {
  id: string;
  row: Cluster | undefined;
  onEdit?: (cluster: Cluster) => void;
  onDelete?: (cluster: Cluster) => void;
}) {
  const trpc = useTRPC();
  const query = useQuery(trpc.cluster.get.queryOptions({ id }, { placeholderData: () => row }));
  const cluster = query.data;
  if (!cluster) return <PeekMissing error={query.error} />;
  const { nodeCount, silentNodeCount, labels } = cluster;
  return (
    <div className="flex flex-col gap-5">
      <p className="text-sm">{describeNodes(nodeCount, silentNodeCount)}</p>
      <Facts
        rows={[
          ["Kind", clusterKindWords[cluster.kind].title],
          ["Region", cluster.region],
          [
            "Nodes",
            <TextLink key="nodes" href={`/nodes?cluster=${id}`}>
              {countOf(nodeCount, "node")}
            </TextLink>,
          ],
          [
            "Exposures",
            <TextLink key="exposures" href={`/exposures?cluster=${id}`}>
              {countOf(cluster.exposureCount, "exposure")}
            </TextLink>,
          ],
          [
            "Load balancers",
            <TextLink key="balancers" href={`/load-balancers?cluster=${id}`}>
              {countOf(cluster.loadBalancerCount, "load balancer")}
            </TextLink>,
          ],
          [
            "Labels",
            Object.keys(labels).length > 0 ? (
              <span key="labels" className="flex flex-wrap gap-1">
                {Object.entries(labels).map(([name, value]) => (
                  <Badge key={name}>{value ? `${name}=${value}` : name}</Badge>
                ))}
              </span>
            ) : null,
          ],
          ["Created", <Age key="created" at={cluster.createdAt} />],
          ["ID", <Mono key="id">{cluster.id}</Mono>],
        ]}
      />
      <RecentEvents subjectId={id} />
      {onEdit && onDelete ? (
        <div className="flex gap-2">
          <Button size="sm" onClick={() => onEdit(cluster)}>
            Edit…
          </Button>
          <Button size="sm" className="text-bad" onClick={() => onDelete(cluster)}>
            Delete…
          </Button>
        </div>
      ) : null}
    </div>
  );
}
