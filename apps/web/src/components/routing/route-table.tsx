"use client";
import type { Page, Route } from "@fairlead/domain";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Age } from "@/components/ui/age.tsx";
import { classNames } from "@/components/ui/class-names.ts";
import { Mono } from "@/components/ui/mono.tsx";
import { TextLink } from "@/components/ui/text-link.tsx";
import { MoreRows } from "./more-rows.tsx";
import { useIsOld } from "./states.tsx";

export function RouteTable(props: { page: Page<Route> | undefined; lookedUp: string | null; shown: number }) {
  const { page, lookedUp, shown } = props;
  return (
    <>
      <RowsTable<Route>
        label="Routes"
        rows={page?.items}
        stacks
        rowKey={({ id }) => id}
        empty={lookedUp ? `No router of ours has a route to ${lookedUp}.` : "No router of ours has a route yet."}
        columns={[
          { label: "Prefix", cell: ({ prefix }) => <Mono>{prefix}</Mono> },
          {
            label: "Router",
            cell: ({ nodeId, nodeName }) => (
              <TextLink href={`/nodes/${nodeId}`} className="font-medium">
                {nodeName}
              </TextLink>
            ),
          },
          { label: "Next hops", wraps: true, cell: (route) => <NextHops route={route} /> },
          { label: "There since", cell: ({ since }) => <Age at={since} /> },
          {
            label: "Read",
            cell: ({ observedAt, reportIntervalMs }) => <Age at={observedAt} expectedEveryMs={reportIntervalMs} />,
          },
        ]}
      />
      <MoreRows page={page} shown={shown} noun="route" />
    </>
  );
}

/** Where a kernel sends flows, and the share of each. */
function NextHops({ route }: { route: Route }) {
  const isOld = useIsOld(route);
  const all = route.nextHops.reduce((sum, each) => sum + each.weight, 0);
  return (
    <ul className={classNames("flex flex-wrap gap-x-5 gap-y-1", isOld && "text-silent")}>
      {route.nextHops.map(({ address, nodeName, weight, since }) => (
        <li key={address} className="inline-flex items-center gap-1.5 whitespace-nowrap">
          {nodeName || <span className="text-muted">unknown</span>}
          <Mono>{address}</Mono>
          <span className="tabular text-muted text-xs">
            {Math.round((100 * weight) / all)} % · <Age at={since} />
          </span>
        </li>
      ))}
    </ul>
  );
}
