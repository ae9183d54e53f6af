"use client";
import type { Route, RoutePage } from "@fairlead/domain/routing";
import { formatQuantity } from "@/components/charts/data/quantity.ts";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { classNames } from "@/components/ui/class-names.ts";
import { Mono } from "@/components/ui/mono.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { percent } from "@/components/words/numbers.ts";
import { describeNoRoute } from "./describe-left-out.ts";
import { useIsOld } from "./states.tsx";

export function RouteTable(props: { page: Pick<RoutePage, "items" | "leftOut"> | undefined; lookedUp: string | null }) {
  const { page, lookedUp } = props;
  return (
    <RowsTable<Route>
      label="Routes"
      rows={page?.items}
      stacks
      rowKey={({ id }) => id}
      empty={describeNoRoute(page?.leftOut ?? [], lookedUp)}
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
        { label: "Since", cell: ({ since }) => <Age at={since} /> },
        {
          label: "Observed",
          cell: ({ observedAt, reportIntervalMs }) => <Age at={observedAt} expectedEveryMs={reportIntervalMs} />,
        },
      ]}
    />
  );
}

/** Where a kernel sends flows: the share by weight, and the measured share. */
function NextHops({ route }: { route: Route }) {
  const isOld = useIsOld(route);
  return (
    <ul className={classNames("flex flex-col gap-1", isOld && "text-silent")}>
      {route.nextHops.map(({ address, nodeName, weight, share, throughputBps, measuredShare, measuredAt, since }) => (
        <li key={address} className="flex flex-wrap items-center gap-x-1.5">
          {nodeName || <span className="text-muted">unknown</span>}
          <Mono>{address}</Mono>
          <span className="tabular text-muted text-xs">
            weight {weight}
            {share === null ? "" : ` · ${percent(share)} of new flows`} · installed <Age at={since} />
          </span>
          <span className="tabular text-xs">
            {throughputBps === null ? (
              <span className="text-muted">traffic not measured</span>
            ) : (
              <>
                {formatQuantity(throughputBps, "bps")}
                {measuredShare === null ? "" : `, ${percent(measuredShare)} of traffic`}{" "}
                <span className="text-muted">
                  measured <Age at={measuredAt} />
                </span>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
