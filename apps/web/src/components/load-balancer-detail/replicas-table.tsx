import { exposureLookedAtEveryMs, type LoadBalancerDetail } from "@fairlead/domain";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Age } from "@/components/ui/age.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import type { StatusLook } from "@/components/ui/status.ts";
import { StatusBadge } from "@/components/ui/status-badge.tsx";
import { TextLink } from "@/components/ui/text-link.tsx";

type Replica = LoadBalancerDetail["replicas"][number];

const ready: StatusLook = { word: "Ready", shape: "disc", tone: "good" };
const notReady: StatusLook = { word: "Not ready", shape: "half", tone: "warn" };
const unseen: StatusLook = { word: "Not seen yet", shape: "ring", tone: "silent" };

/** Where the copies of a balancer run, and whether each takes traffic. */
export function ReplicasTable({ replicas }: { replicas: Replica[] }) {
  return (
    <RowsTable<Replica>
      label="Replicas"
      rows={replicas}
      stacks
      rowKey={(replica) => replica.id}
      empty="None is asked for."
      columns={[
        {
          label: "Node",
          cell: (replica) =>
            replica.nodeId ? (
              <TextLink href={`/nodes/${replica.nodeId}`} className="font-medium">
                {replica.nodeName ?? replica.nodeId}
              </TextLink>
            ) : (
              <span className="text-muted">no place yet</span>
            ),
        },
        {
          label: "State",
          cell: (replica) => <StatusBadge status={replica.ready ? ready : replica.observedAt ? notReady : unseen} />,
        },
        { label: "Why", wraps: true, cell: (replica) => replica.message },
        {
          label: "Seen",
          align: "end",
          cell: (replica) => <Age at={replica.observedAt} expectedEveryMs={exposureLookedAtEveryMs} />,
        },
        { label: "Id", cell: (replica) => <Mono className="max-w-40">{replica.id}</Mono> },
      ]}
    />
  );
}
