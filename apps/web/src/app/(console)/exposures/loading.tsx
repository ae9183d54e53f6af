"use client";
import { ListSkeleton } from "@/components/table/list-skeleton.tsx";
import { exposureColumns } from "./columns.tsx";

export default function Loading() {
  return (
    <ListSkeleton title="Exposures" sentence="What is made reachable, and how." columns={exposureColumns} hasAction />
  );
}
