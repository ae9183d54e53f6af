"use client";
import { ListSkeleton } from "@/components/table/list-skeleton.tsx";
import { exposureColumns } from "./columns.tsx";

export default function Loading() {
  return (
    <ListSkeleton
      title="Exposures"
      sentence="Workloads that are reachable from outside, and how."
      columns={exposureColumns}
      hasAction
    />
  );
}
