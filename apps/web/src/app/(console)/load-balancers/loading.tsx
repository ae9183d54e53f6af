"use client";
import { ListSkeleton } from "@/components/table/list-skeleton.tsx";
import { loadBalancerColumns } from "./columns.tsx";

export default function Loading() {
  return (
    <ListSkeleton
      title="Load balancers"
      sentence="All load balancers, in all clusters."
      columns={loadBalancerColumns}
    />
  );
}
