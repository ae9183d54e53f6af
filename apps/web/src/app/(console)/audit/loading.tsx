"use client";
import { ListSkeleton } from "@/components/table/list-skeleton.tsx";
import { auditColumns } from "./columns.tsx";

export default function Loading() {
  return (
    <ListSkeleton
      title="Audit"
      sentence="Changes and sign-ins of users, API keys and agents, newest first."
      columns={auditColumns}
    />
  );
}
