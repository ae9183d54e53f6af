"use client";
import { ListSkeleton } from "@/components/table/list-skeleton.tsx";
import { eventColumns } from "./columns.tsx";

export default function Loading() {
  return <ListSkeleton title="Events" sentence="What happened, newest first." columns={eventColumns} />;
}
