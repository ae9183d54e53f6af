"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronsUpDown, X } from "lucide-react";
import dynamic from "next/dynamic";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.tsx";
import { Button } from "../ui/action/button.tsx";
import { IconButton } from "../ui/action/icon-button.tsx";
import { Popover } from "../ui/overlay/popover.tsx";
import { destinations } from "./navigation.ts";
import { useClusterScope } from "./scope.ts";

// Loaded when it is first opened.
const ClusterChoices = dynamic(() => import("./cluster-choices.tsx").then((module) => module.ClusterChoices), {
  ssr: false,
});

/** Filters the page by one cluster. Shown on pages that support it. */
export function ClusterScope() {
  const path = usePathname();
  const isScoped = destinations.some((destination) => destination.isScoped && destination.href === path);
  return isScoped ? <ClusterPicker /> : null;
}

function ClusterPicker() {
  const trpc = useTRPC();
  const [clusterId, setClusterId] = useClusterScope();
  const [open, setOpen] = useState(false);
  const chosen = useQuery(trpc.cluster.get.queryOptions({ id: clusterId ?? "" }, { enabled: clusterId !== null }));
  const name = clusterId ? (chosen.data?.name ?? "one cluster") : "All clusters";

  function choose(id: string | null) {
    void setClusterId(id);
    setOpen(false);
  }

  return (
    <span className="flex min-w-0 items-center">
      <span aria-hidden className="px-1 text-muted max-sm:hidden">
        /
      </span>
      <Popover
        open={open}
        onOpenChange={setOpen}
        label="Cluster"
        className="min-h-24 p-0"
        trigger={
          <Button variant="quiet" size="sm" className="min-w-0 shrink text-sm" aria-label={`Cluster: ${name}`}>
            <span className="truncate">{name}</span>
            <ChevronsUpDown className="text-muted" aria-hidden />
          </Button>
        }
      >
        <ClusterChoices clusterId={clusterId} onChoose={choose} />
      </Popover>
      {clusterId ? (
        <IconButton label="Show all clusters" size="icon-sm" onClick={() => choose(null)}>
          <X aria-hidden />
        </IconButton>
      ) : null}
    </span>
  );
}
