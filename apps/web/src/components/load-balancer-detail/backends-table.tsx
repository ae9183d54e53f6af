"use client";
import { type Backend, exposureLookedAtEveryMs } from "@fairlead/domain";
import { useState } from "react";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Age } from "@/components/ui/age.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { StatusBadge } from "@/components/ui/status-badge.tsx";
import { troubledFirst } from "./troubled-first.ts";

const firstShown = 25;

/** What is behind a balancer. State and health are two things, so they have two columns. */
export function BackendsTable({ backends }: { backends: Backend[] }) {
  const [all, setAll] = useState(false);
  const sorted = troubledFirst(backends);
  return (
    <>
      <RowsTable<Backend>
        label="Backends"
        rows={all ? sorted : sorted.slice(0, firstShown)}
        stacks
        rowKey={(backend) => backend.id}
        empty="None has been seen. They appear with the instances of the workload, once its cluster is read."
        columns={[
          { label: "Address", cell: (backend) => <Mono>{describeEndpoint(backend)}</Mono> },
          { label: "Instance", cell: (backend) => backend.instance || <span className="text-muted">–</span> },
          { label: "State", cell: (backend) => <StatusBadge status={backend.state} /> },
          { label: "Health", cell: (backend) => <StatusBadge status={backend.health} /> },
          { label: "Weight", align: "end", cell: (backend) => backend.weight },
          {
            label: "Seen",
            align: "end",
            cell: (backend) => <Age at={backend.observedAt} expectedEveryMs={exposureLookedAtEveryMs} />,
          },
        ]}
      />
      {backends.length > firstShown ? (
        <Button size="sm" className="mt-2" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show ${backends.length - firstShown} more`}
        </Button>
      ) : null}
    </>
  );
}

/** TCP is what everybody expects, so only the other one is named. */
function describeEndpoint({ address, port, protocol }: Backend): string {
  const endpoint = address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
  return protocol === "tcp" ? endpoint : `${endpoint} ${protocol}`;
}
