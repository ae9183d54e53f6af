"use client";
import type { Permission } from "@fairlead/domain/access";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Boxes, Combine, type LucideIcon, Network, Radio, Server } from "lucide-react";
import { useEffect, useState } from "react";
import { useTRPC } from "@/trpc/client.tsx";
import { useSession } from "./session.tsx";

export type Find = { id: string; name: string; detail: string; href: string };
export type FindGroup = { heading: string; icon: LucideIcon; items: Find[] };

const perGroup = 5;
const settleMs = 120;

/** usePaletteFinds searches objects by name, shortly after the user stops typing. */
export function usePaletteFinds(wanted: string): { groups: FindGroup[]; isSearching: boolean; failed: boolean } {
  const trpc = useTRPC();
  const { permissions } = useSession();
  const search = useSettled(wanted);
  const input = { search, limit: perGroup };
  const when = (permission: Permission) => ({
    enabled: search.length > 0 && permissions.includes(permission),
    placeholderData: keepPreviousData,
  });
  const exposures = useQuery(trpc.exposure.list.queryOptions(input, when("exposure:read")));
  const loadBalancers = useQuery(trpc.loadBalancer.list.queryOptions(input, when("exposure:read")));
  const nodes = useQuery(trpc.node.list.queryOptions(input, when("node:read")));
  const clusters = useQuery(trpc.cluster.list.queryOptions(input, when("cluster:read")));
  const pools = useQuery(trpc.addressPool.list.queryOptions(input, when("address-pool:read")));

  if (!wanted) return { groups: [], isSearching: false, failed: false };
  const groups: FindGroup[] = [
    {
      heading: "Exposures",
      icon: Radio,
      items: (exposures.data?.items ?? []).map(({ id, name, clusterName }) => ({
        id,
        name,
        detail: clusterName,
        href: `/exposures/${id}`,
      })),
    },
    {
      heading: "Load balancers",
      icon: Combine,
      items: (loadBalancers.data?.items ?? []).map(({ id, name, clusterName, address }) => ({
        id,
        name,
        detail: address ?? clusterName,
        href: `/load-balancers/${id}`,
      })),
    },
    {
      heading: "Nodes",
      icon: Server,
      items: (nodes.data?.items ?? []).map(({ id, name, clusterName }) => ({
        id,
        name,
        detail: clusterName,
        href: `/nodes/${id}`,
      })),
    },
    {
      heading: "Clusters",
      icon: Boxes,
      items: (clusters.data?.items ?? []).map(({ id, name, region }) => ({
        id,
        name,
        detail: region,
        href: `/clusters/${id}`,
      })),
    },
    {
      heading: "Address pools",
      icon: Network,
      items: (pools.data?.items ?? []).map(({ id, name, prefix }) => ({
        id,
        name,
        detail: prefix,
        href: `/address-pools?peek=${id}`,
      })),
    },
  ];
  const queries = [exposures, loadBalancers, nodes, clusters, pools];
  return {
    groups: groups.filter(({ items }) => items.length > 0),
    isSearching: wanted !== search || queries.some((query) => query.isFetching),
    failed: queries.some((query) => query.isError),
  };
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
