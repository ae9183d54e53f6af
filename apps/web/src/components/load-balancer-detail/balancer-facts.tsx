import type { LoadBalancerDetail } from "@fairlead/domain";
import { Facts } from "@/components/table/facts.tsx";
import { Age } from "@/components/ui/age.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { TextLink } from "@/components/ui/text-link.tsx";
import { describePort } from "@/components/words/ports.ts";
import { strategyWords } from "@/components/words/strategies.ts";

/** What a load balancer is and belongs to. */
export function BalancerFacts({ balancer }: { balancer: LoadBalancerDetail }) {
  return (
    <Facts
      rows={[
        [
          "Exposure",
          <TextLink key="exposure" href={`/exposures/${balancer.exposureId}`}>
            {balancer.exposureName}
          </TextLink>,
        ],
        [
          "Cluster",
          <TextLink key="cluster" href={`/clusters/${balancer.clusterId}`}>
            {balancer.clusterName}
          </TextLink>,
        ],
        ["Kind", balancer.kind === "fairlead" ? "ours" : "the cloud provider's"],
        ["Strategy", strategyWords[balancer.strategy].title],
        ["Instance", balancer.instance],
        [
          "Ports",
          <ul key="ports" className="tabular">
            {balancer.ports.map((port) => (
              <li key={`${port.protocol} ${port.port}`}>{describePort(port)}</li>
            ))}
          </ul>,
        ],
        ["Created", <Age key="created" at={balancer.createdAt} />],
        ["Id", <Mono key="id">{balancer.id}</Mono>],
      ]}
    />
  );
}
