"use client";
import { type AddressPool, createAddressPool, updateAddressPool } from "@fairlead/domain/address-pool";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { OverlapConfirmation } from "@/components/exposure/form/overlap-confirmation.tsx";
import { ClusterSelect } from "@/components/ui/form/cluster-select.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Form } from "@/components/ui/form/form.tsx";
import { FormFoot } from "@/components/ui/form/form-foot.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { useFormErrors } from "@/components/ui/form/use-form-errors.ts";
import { notify } from "@/components/ui/layout/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { describeSize } from "./describe-size.ts";

/** Creates a pool, as a copy of another one if that is given, or edits the given one. Its cluster, name and prefix can't change. */
export function PoolForm({
  pool,
  original,
  clusterId,
  onCancel,
  onSaved,
}: {
  pool: AddressPool | null;
  original: AddressPool | null;
  clusterId: string | null;
  onCancel: () => void;
  onSaved: (pool: AddressPool) => void;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [cluster, setCluster] = useState(original?.clusterId ?? clusterId ?? "");
  const [name, setName] = useState("");
  const [prefix, setPrefix] = useState(original?.prefix ?? "");
  const [allowOverlap, setAllowOverlap] = useState(false);
  const [note, setNote] = useState((pool ?? original)?.note ?? "");
  const errors = useFormErrors(["clusterId", "name", "prefix", "allowOverlap", "note"]);

  function saved(saved: AddressPool) {
    void queryClient.invalidateQueries(trpc.addressPool.pathFilter());
    notify(pool ? `Saved ${saved.name}.` : `Created ${saved.name}.`);
    onSaved(saved);
  }
  const create = useMutation(trpc.addressPool.create.mutationOptions({ onSuccess: saved, onError: errors.fail }));
  const update = useMutation(trpc.addressPool.update.mutationOptions({ onSuccess: saved, onError: errors.fail }));

  function submit() {
    if (pool) {
      const change = errors.check(updateAddressPool, { note });
      if (change) update.mutate({ ...change, id: pool.id });
      return;
    }
    if (!cluster) return errors.set({ clusterId: "Choose a cluster." });
    const spec = errors.check(createAddressPool, {
      clusterId: cluster,
      name: name.trim(),
      prefix: prefix.trim(),
      note,
      ...(allowOverlap ? { allowOverlap } : {}),
    });
    if (spec) create.mutate(spec);
  }

  return (
    <Form failures={errors.failures} className="flex flex-col gap-4" onSubmit={submit}>
      {pool ? null : (
        <>
          <Field label="Cluster" docs={null} required error={errors.of("clusterId")}>
            {(control) => <ClusterSelect control={control} value={cluster} onChange={setCluster} />}
          </Field>
          <Field label="Name" docs={null} required error={errors.of("name")}>
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
            docs="addressPools"
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
                onChange={(event) => {
                  setPrefix(event.target.value);
                  setAllowOverlap(false);
                  errors.clear("allowOverlap");
                }}
              />
            )}
          </Field>
          <OverlapConfirmation problem={errors.of("allowOverlap")} checked={allowOverlap} onChange={setAllowOverlap} />
        </>
      )}
      <Field label="Note" docs={null} error={errors.of("note")} hint="Such as the uplink or a contact.">
        {(control) => (
          <Input {...control} autoComplete="off" value={note} onChange={(event) => setNote(event.target.value)} />
        )}
      </Field>
      <FormFoot
        problem={errors.general}
        action={pool ? "Save" : "Create address pool"}
        busy={create.isPending || update.isPending}
        onCancel={onCancel}
      />
    </Form>
  );
}
