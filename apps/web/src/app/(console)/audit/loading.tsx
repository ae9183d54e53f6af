"use client";
import { ListSkeleton } from "@/components/table/list-skeleton.tsx";
import { auditColumns } from "./columns.tsx";

export default function Loading() {
  return <ListSkeleton title="Audit" sentence="Who changed what, newest first." columns={auditColumns} />;
}
