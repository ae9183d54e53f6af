"use client";
import { ListSkeleton } from "@/components/table/list-skeleton.tsx";
import { mappingColumns } from "./columns.tsx";

export default function Loading() {
  return (
    <ListSkeleton
      title="Mappings"
      sentence="Which external address leads to which instance, in all clusters."
      columns={mappingColumns}
    />
  );
}
