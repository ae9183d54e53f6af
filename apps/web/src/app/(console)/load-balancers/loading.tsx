"use client";
import { ListSkeleton } from "@/components/table/list-skeleton.tsx";
import { loadBalancerColumns } from "./columns.tsx";

export default function Loading() {
  return (
    <ListSkeleton
      title="Load balancers"
      sentence="Everything that takes traffic, in all clusters."
      columns={loadBalancerColumns}
    />
  );
}
