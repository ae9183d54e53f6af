"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { PickedNames } from "@/components/table/picked-names.tsx";
import { useBulk } from "@/components/table/use-bulk.ts";
import type { Picked } from "@/components/table/use-selection.ts";
import { ConfirmDialog } from "@/components/ui/overlay/confirm-dialog.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";

const reports = {
  drain: {
    done: (count: number) => `Draining ${countOf(count, "node")}.`,
    failed: (count: number) => `${countOf(count, "node")} could not be drained`,
  },
  end: {
    done: (count: number) => `Ended the drain of ${countOf(count, "node")}.`,
    failed: (count: number) => `The drain of ${countOf(count, "node")} could not be ended`,
  },
};

/** Drains the selected nodes, or ends their drain. */
export function DrainNodes({
  nodes,
  ends,
  onClose,
  onDone,
}: {
  nodes: Picked[] | null;
  ends: boolean;
  onClose: () => void;
  onDone: () => void;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const update = useMutation(trpc.node.update.mutationOptions());
  const { run } = useBulk(ends ? reports.end : reports.drain);
  const what = countOf(nodes?.length ?? 0, "node");

  async function changeAll() {
    try {
      await run(nodes ?? [], ({ id }) => update.mutateAsync({ id, draining: !ends }));
    } finally {
      await queryClient.invalidateQueries(trpc.node.pathFilter());
    }
    onDone();
  }

  return (
    <ConfirmDialog
      open={nodes !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={ends ? `End the drain of ${what}?` : `Drain ${what}?`}
      action={ends ? "End drain" : `Drain ${what}`}
      losesNothing={ends}
      onConfirm={changeAll}
      consequence={
        <div className="flex flex-col gap-3">
          <PickedNames label={ends ? "Nodes whose drain ends" : "Nodes to drain"} rows={nodes ?? []} />
          {ends ? (
            <p>Their speakers announce routes again, and new connections arrive.</p>
          ) : (
            <>
              <p>
                Routers prefer any other node. The speakers withdraw the routes when no connections are left, or when
                the drain time of the cluster is over.{" "}
                <strong>If no other node announces an address, it becomes unreachable.</strong>
              </p>
              <p className="text-muted">
                In clusters with a cloud route, addresses move to other nodes. Other nodes without a speaker announce
                nothing, so nothing changes for them. The nodes stay drained until you end the drain, even after a
                restart.
              </p>
            </>
          )}
        </div>
      }
    />
  );
}
