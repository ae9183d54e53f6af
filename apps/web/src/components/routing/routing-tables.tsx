"use client";
import type { RoutingTable } from "@fairlead/domain/routing";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/action/button.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import { ErrorState } from "@/components/ui/layout/error-state.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { agentsInput, type RoutingParams, tableInput } from "./search-params.ts";
import { TableAnswer } from "./table-answer.tsx";

/** The BGP tables of reflectors and routers, queried on demand because they are too large to be reported. */
export function RoutingTables(props: { params: RoutingParams; choose: (agentId: string | null) => void }) {
  const { params, choose } = props;
  const trpc = useTRPC();
  const agents = useQuery(trpc.routingTable.listAgents.queryOptions(agentsInput(params)));
  const [places, setPlaces] = useState<Places>({ of: "", passed: [] });
  const of = `${params.cluster} ${params.table} ${params.address}`;
  const passed = places.of === of ? places.passed : []; // a new query starts at its first page
  const query = tableInput(params, passed.at(-1) ?? "");
  const table = useQuery({
    ...trpc.routingTable.query.queryOptions(query ?? { covers: "0.0.0.0" }),
    enabled: query !== null,
    // Each query is work for an agent, so it runs again only on request.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: 5_000,
    retry: false,
  });
  const isOne = params.table !== null;
  const next = isOne ? (table.data?.answers[0]?.next ?? null) : null;
  return (
    <Section
      title="Routing tables"
      hint="The routes that agents received, queried on demand."
      actions={
        <Select
          aria-label="Agent table"
          className="w-56"
          value={params.table ?? ""}
          onChange={(event) => choose(event.target.value || null)}
        >
          <option value="">All reflectors and routers</option>
          {agents.data?.agents.map(({ agentId, nodeName, role, clusterName }) => (
            <option key={agentId} value={agentId}>
              {nodeName} · {role}
              {params.cluster ? "" : ` · ${clusterName}`}
            </option>
          ))}
        </Select>
      }
    >
      {query === null ? (
        <p className="py-2 text-muted text-sm">
          Look up an address or a prefix to query all reflectors and routers, or select an agent to page through its
          table.
        </p>
      ) : table.isError ? (
        <ErrorState
          what="Could not query the tables"
          message={problemOf(table.error).message}
          onRetry={() => void table.refetch()}
          retrying={table.isFetching}
        />
      ) : (
        <Answers table={table.data} lookedUp={query.covers ?? query.prefix ?? null} />
      )}
      {query && !table.isError ? (
        <div className="flex flex-wrap items-center gap-2 pt-3">
          {isOne && (passed.length > 0 || next) ? (
            <>
              <Button
                size="sm"
                disabled={passed.length === 0}
                onClick={() => setPlaces({ of, passed: passed.slice(0, -1) })}
              >
                Previous page
              </Button>
              <Button
                size="sm"
                disabled={next === null}
                onClick={() => next && setPlaces({ of, passed: [...passed, next] })}
              >
                Next page
              </Button>
            </>
          ) : null}
          <Button size="sm" variant="quiet" busy={table.isFetching} onClick={() => void table.refetch()}>
            Refresh
          </Button>
          {table.data ? (
            <span className="text-muted text-xs">
              queried <Age at={table.data.requestedAt} />
            </span>
          ) : null}
        </div>
      ) : null}
    </Section>
  );
}

/** Where the previous pages ended, and for which query. */
type Places = { of: string; passed: string[] };

function Answers({ table, lookedUp }: { table: RoutingTable | undefined; lookedUp: string | null }) {
  if (!table)
    return (
      <div aria-busy className="flex flex-col gap-3 py-2">
        <Skeleton className="w-56" />
        <Skeleton className="w-96 max-w-full" />
      </div>
    );
  if (table.answers.length === 0)
    return (
      <p className="py-2 text-muted text-sm">
        There is no reflector and no router agent to query. Query external routers with their own tools.
      </p>
    );
  return (
    <div className="flex flex-col gap-5">
      {table.answers.map((answer) => (
        <TableAnswer key={answer.agentId} answer={answer} lookedUp={lookedUp} />
      ))}
    </div>
  );
}
