"use client";
import { ListSkeleton } from "@/components/table/list-skeleton.tsx";
import { clusterColumns } from "./columns.tsx";

export default function Loading() {
  return (
    <ListSkeleton
      title="Clusters"
      sentence="Sets of nodes that share addresses, routing and policy."
      columns={clusterColumns}
      hasAction
    />
  );
}
