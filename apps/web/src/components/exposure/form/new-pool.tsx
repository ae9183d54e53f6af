"use client";
import { type AddressPool, createAddressPool } from "@fairlead/domain/address-pool";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { useFormErrors } from "@/components/ui/form/use-form-errors.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { OverlapConfirmation } from "./overlap-confirmation.tsx";

const paths = ["name", "prefix", "allowOverlap"];

/** Creates a pool inside another form. It isn't a form element, because forms can't be nested. */
export function NewPool(props: {
  clusterId: string;
  /** The cluster has no pool, so there is nothing to choose instead. */
  isFirst: boolean;
  onCreated: (pool: AddressPool) => void;
  onCancel: () => void;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [name, setName] = useState("");
  const [prefix, setPrefix] = useState("");
  const [allowOverlap, setAllowOverlap] = useState(false);
  const errors = useFormErrors(paths);
  const create = useMutation(
    trpc.addressPool.create.mutationOptions({
      async onSuccess(pool) {
        await queryClient.invalidateQueries({ queryKey: trpc.addressPool.pathKey() });
        props.onCreated(pool);
      },
      onError: errors.fail,
    }),
  );
  function submit(): void {
    const input = errors.check(createAddressPool, {
      clusterId: props.clusterId,
      name,
      prefix: prefix.trim(),
      ...(allowOverlap ? { allowOverlap } : {}),
    });
    if (input) create.mutate(input);
  }
  function submitOnEnter(event: KeyboardEvent): void {
    if (event.key !== "Enter") return;
    event.preventDefault();
    submit();
  }
  return (
    <fieldset className="rounded-md border p-3">
      <legend className="px-1 font-medium text-sm">New address pool</legend>
      {props.isFirst ? (
        <p className="mb-3 text-muted text-xs">
          This cluster has no address pool, and the address must come from one. Create a pool.
        </p>
      ) : null}
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Pool name" docs={null} required error={errors.of("name")}>
          {(control) => (
            <Input
              {...control}
              value={name}
              onChange={(event) => setName(event.target.value)}
              onKeyDown={submitOnEnter}
              placeholder="public"
              spellCheck={false}
            />
          )}
        </Field>
        <Field label="Prefix" docs="addressPools" required hint="IPv4 or IPv6." error={errors.of("prefix")}>
          {(control) => (
            <Input
              {...control}
              value={prefix}
              onChange={(event) => {
                setPrefix(event.target.value);
                setAllowOverlap(false);
                errors.clear("allowOverlap");
              }}
              onKeyDown={submitOnEnter}
              placeholder="192.0.2.0/24"
              className="font-mono text-xs"
              spellCheck={false}
            />
          )}
        </Field>
      </div>
      <OverlapConfirmation problem={errors.of("allowOverlap")} checked={allowOverlap} onChange={setAllowOverlap} />
      {errors.general ? (
        <p role="alert" className="mt-2 text-bad text-xs">
          {errors.general}
        </p>
      ) : null}
      <div className="mt-3 flex gap-2">
        <GuardedButton permission="address-pool:write" size="sm" busy={create.isPending} onClick={submit}>
          Create address pool
        </GuardedButton>
        {props.isFirst ? null : (
          <Button size="sm" variant="quiet" onClick={props.onCancel}>
            Choose an existing pool
          </Button>
        )}
      </div>
    </fieldset>
  );
}
