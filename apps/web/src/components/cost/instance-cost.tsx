"use client";
import type { AddressMapping } from "@fairlead/domain/address-map";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.tsx";
import { costText } from "./cost-text.ts";

const maxBalancers = 200;
/** Hours are metered after they end. */
const freshMs = 300_000;

/** The month-to-date cost of the load balancer of an instance. One query covers all instances of an exposure. */
export function InstanceCost({
  mapping,
}: {
  mapping: Pick<AddressMapping, "exposureId" | "loadBalancerId" | "instance">;
}) {
  const trpc = useTRPC();
  const { exposureId, loadBalancerId, instance } = mapping;
  const query = { exposureId, groupBy: "loadBalancer", limit: maxBalancers } as const;
  const { data, error } = useQuery({ ...trpc.cost.list.queryOptions(query), staleTime: freshMs });
  if (error) return <span className="text-muted">unavailable</span>;
  if (!data) return null;
  const group = data.items.find(({ id }) => id === loadBalancerId);
  if (!group) return <span className="text-muted">{data.total > data.items.length ? "not loaded" : "none yet"}</span>;
  return <span className="tabular">{costText(group, data.currency, group.instance === instance)}</span>;
}
