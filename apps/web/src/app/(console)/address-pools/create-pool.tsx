"use client";
import { type AddressPool, createAddressPool } from "@fairlead/domain/address";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ClusterSelect } from "@/components/ui/form/cluster-select.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { FormFoot } from "@/components/ui/form/form-foot.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { useFormErrors } from "@/components/ui/form/use-form-errors.ts";
import { notify } from "@/components/ui/layout/notices.tsx";
import { Dialog } from "@/components/ui/overlay/dialog.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { describeSize } from "./describe-size.ts";

export function CreatePool({
  open,
  clusterId,
  onClose,
  onCreated,
}: {
  open: boolean;
  clusterId: string | null;
  onClose: () => void;
  onCreated: (pool: AddressPool) => void;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title="Create an address pool"
      description="No address is announced until an exposure uses it."
    >
      <PoolForm clusterId={clusterId} onCancel={onClose} onCreated={onCreated} />
    </Dialog>
  );
}

function PoolForm({
  clusterId,
  onCancel,
  onCreated,
}: {
  clusterId: string | null;
  onCancel: () => void;
  onCreated: (pool: AddressPool) => void;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [cluster, setCluster] = useState(clusterId ?? "");
  const [name, setName] = useState("");
  const [prefix, setPrefix] = useState("");
  const errors = useFormErrors(["clusterId", "name", "prefix"]);
  const create = useMutation(
    trpc.pool.create.mutationOptions({
      onSuccess: (pool) => {
        void queryClient.invalidateQueries(trpc.pool.pathFilter());
        notify(`Created ${pool.name}.`);
        onCreated(pool);
      },
      onError: errors.fail,
    }),
  );

  function submit() {
    if (!cluster) return errors.set({ clusterId: "Choose a cluster." });
    const spec = errors.check(createAddressPool, { clusterId: cluster, name: name.trim(), prefix: prefix.trim() });
    if (spec) create.mutate(spec);
  }

  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label="Cluster" required error={errors.of("clusterId")}>
        {(control) => <ClusterSelect control={control} value={cluster} onChange={setCluster} />}
      </Field>
      <Field label="Name" required error={errors.of("name")}>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            spellCheck={false}
            placeholder="public"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field
        label="Prefix"
        required
        error={errors.of("prefix")}
        hint={describeSize(prefix) ?? "IPv4 or IPv6. It must not overlap another pool of the cluster."}
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            spellCheck={false}
            className="font-mono text-xs"
            placeholder="192.0.2.0/24"
            value={prefix}
            onChange={(event) => setPrefix(event.target.value)}
          />
        )}
      </Field>
      <FormFoot problem={errors.general} action="Create address pool" busy={create.isPending} onCancel={onCancel} />
    </form>
  );
}
