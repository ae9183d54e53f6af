"use client";
import { type MapAccess as Access, mapAccess } from "@fairlead/domain/address-map";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.tsx";
import { GuardedButton } from "../detail/guarded-button.tsx";
import { useMay } from "../frame/session.tsx";
import { Checkbox } from "../ui/form/checkbox.tsx";
import { Field } from "../ui/form/field.tsx";
import { Form } from "../ui/form/form.tsx";
import { FormFoot } from "../ui/form/form-foot.tsx";
import { Textarea } from "../ui/form/input.tsx";
import { Select } from "../ui/form/select.tsx";
import { useFormErrors } from "../ui/form/use-form-errors.ts";
import { notify } from "../ui/layout/notices.tsx";
import { Dialog } from "../ui/overlay/dialog.tsx";
import { type AccessDraft, describeAccess, toAccessDraft, toMapAccess } from "./access-draft.ts";

/** Shows who can read a map, and lets users change it. */
export function MapAccess({ exposureId }: { exposureId: string }) {
  const trpc = useTRPC();
  const [open, setOpen] = useState(false);
  const { data } = useQuery(trpc.addressMap.getAccess.queryOptions({ id: exposureId }));
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="min-w-0 flex-1 basis-64 text-sm">{data ? describeAccess(data) : " "}</p>
      <GuardedButton permission="exposure:write" disabledReason={null} size="sm" onClick={() => setOpen(true)}>
        Change access
      </GuardedButton>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Map access"
        description="An address map contains the addresses of all instances. Restrict it to the clients that need it."
      >
        {open && data ? <AccessForm exposureId={exposureId} access={data} onDone={() => setOpen(false)} /> : null}
      </Dialog>
    </div>
  );
}

function AccessForm({ exposureId, access, onDone }: { exposureId: string; access: Access; onDone: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<AccessDraft>(() => toAccessDraft(access));
  const errors = useFormErrors(["mode"], ["keys", "networks"]);
  const change = (part: Partial<AccessDraft>) => setDraft((before) => ({ ...before, ...part }));
  const update = useMutation(
    trpc.addressMap.updateAccess.mutationOptions({
      onSuccess() {
        notify("Saved the map access.");
        void queryClient.invalidateQueries(trpc.addressMap.pathFilter());
        onDone();
      },
      onError: errors.fail,
    }),
  );
  return (
    <Form
      failures={errors.failures}
      className="flex flex-col gap-4"
      onSubmit={() => {
        const spec = errors.check(mapAccess, toMapAccess(draft));
        if (spec) update.mutate({ id: exposureId, ...spec });
      }}
    >
      <Field label="Readers" docs="mapAccess" required error={errors.of("mode")}>
        {(control) => (
          <Select
            {...control}
            value={draft.mode}
            onChange={({ target }) => change({ mode: target.value === "keys" ? "keys" : "organization" })}
          >
            <option value="organization">All users and keys with access to the exposure</option>
            <option value="keys">Selected API keys, and users who can change the exposure</option>
          </Select>
        )}
      </Field>
      {draft.mode === "keys" ? (
        <KeyChoices
          chosen={draft.keys}
          error={errors.of("keys") ?? errors.within("keys")}
          onChange={(keys) => change({ keys })}
        />
      ) : null}
      <Field
        label="Networks"
        docs="mapAccess"
        error={errors.of("networks") ?? errors.within("networks")}
        hint="One prefix per line. Requests from elsewhere are rejected, including yours. Empty allows any address."
      >
        {(control) => (
          <Textarea
            {...control}
            rows={3}
            spellCheck={false}
            autoComplete="off"
            placeholder={"10.0.0.0/8\n2001:db8::/32"}
            className="font-mono text-xs"
            value={draft.networks}
            onChange={(event) => change({ networks: event.target.value })}
          />
        )}
      </Field>
      <FormFoot problem={errors.general} action="Save" busy={update.isPending} onCancel={onDone} />
    </Form>
  );
}

/** Keys that are already selected stay in the list, even if they were revoked. */
function KeyChoices(props: { chosen: string[]; error: string | undefined; onChange: (keys: string[]) => void }) {
  const trpc = useTRPC();
  const mayRead = useMay("key:read");
  const { data } = useQuery(
    trpc.apiKey.list.queryOptions(
      { limit: 200, sort: "name", direction: "asc", state: ["active"] },
      { enabled: mayRead },
    ),
  );
  const keys = (data?.items ?? []).filter(({ scopes }) => scopes.includes("map:read"));
  const unknown = data ? props.chosen.filter((id) => !keys.some((key) => key.id === id)) : [];
  const rows = [
    ...keys.map(({ id, name, start }) => ({ id, name, start })),
    ...unknown.map((id) => ({ id, name: id, start: "" })),
  ];
  const toggle = (id: string) =>
    props.onChange(props.chosen.includes(id) ? props.chosen.filter((each) => each !== id) : [...props.chosen, id]);
  return (
    <fieldset>
      <legend className="pb-1 font-medium text-sm">API keys</legend>
      {rows.map(({ id, name, start }) => (
        <label
          key={id}
          className="flex min-h-8 cursor-pointer items-center gap-2.5 rounded-sm px-1.5 text-sm hover:bg-hover"
        >
          <Checkbox checked={props.chosen.includes(id)} onChange={() => toggle(id)} />
          <span className="truncate">{name}</span>
          {start ? <span className="font-mono text-muted text-xs">{start}…</span> : null}
        </label>
      ))}
      {data && rows.length === 0 ? (
        <p className="text-muted text-sm">
          No active key can read address maps. Create one under Settings, API keys, with the scope map:read.
        </p>
      ) : null}
      {props.error ? (
        <p className="pt-1 text-bad text-xs" role="alert">
          {props.error}
        </p>
      ) : null}
    </fieldset>
  );
}
