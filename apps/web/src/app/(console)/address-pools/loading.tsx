"use client";
import { ListSkeleton } from "@/components/table/list-skeleton.tsx";
import { poolColumns } from "./columns.tsx";

export default function Loading() {
  return (
    <ListSkeleton
      title="Address pools"
      sentence="The prefixes that virtual addresses come from."
      columns={poolColumns}
      hasAction
    />
  );
}
