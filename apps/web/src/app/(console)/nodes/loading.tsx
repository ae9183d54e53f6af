"use client";
import { ListSkeleton } from "@/components/table/list-skeleton.tsx";
import { nodeColumns } from "./columns.tsx";

export default function Loading() {
  return (
    <ListSkeleton title="Nodes" sentence="Machines and the reports of their agents." columns={nodeColumns} hasAction />
  );
}
