"use client";
import { ListSkeleton } from "@/components/table/list-skeleton.tsx";
import { mappingColumns } from "./columns.tsx";

export default function Loading() {
  return (
    <ListSkeleton
      title="Mappings"
      sentence="Internal and external addresses of each instance, in all clusters."
      columns={mappingColumns}
    />
  );
}
