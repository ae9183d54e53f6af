"use client";
import type { AddressMapping } from "@fairlead/domain";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.tsx";
import { costText } from "./cost-text.ts";

const mostBalancers = 200;
/** Hours are metered once they are over. */
const freshMs = 300_000;

/** What the load balancer that leads to an instance cost in this month so far. One question is for all instances of an exposure. */
export function InstanceCost({
  mapping,
}: {
  mapping: Pick<AddressMapping, "exposureId" | "loadBalancerId" | "instance">;
}) {
  const trpc = useTRPC();
  const { exposureId, loadBalancerId, instance } = mapping;
  const asked = { exposureId, groupBy: "loadBalancer", limit: mostBalancers } as const;
  const { data, error } = useQuery({ ...trpc.cost.list.queryOptions(asked), staleTime: freshMs });
  if (error) return <span className="text-muted">not to be read</span>;
  if (!data) return null;
  const group = data.items.find(({ id }) => id === loadBalancerId);
  if (!group) return <span className="text-muted">{data.total > data.items.length ? "not asked" : "none yet"}</span>;
  return <span className="tabular">{costText(group, data.currency, group.instance === instance)}</span>;
}
