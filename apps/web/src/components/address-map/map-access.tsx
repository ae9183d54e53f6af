"use client";
import { type MapAccess as Access, mapAccess } from "@fairlead/domain";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.tsx";
import { GuardedButton } from "../detail/guarded-button.tsx";
import { useMay } from "../frame/session.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { FormFoot } from "../ui/form-foot.tsx";
import { Textarea } from "../ui/input.tsx";
import { notify } from "../ui/notices.tsx";
import { Select } from "../ui/select.tsx";
import { useFormErrors } from "../ui/use-form-errors.ts";
import { type AccessDraft, describeAccess, toAccessDraft, toMapAccess } from "./access-draft.ts";

/** Who may read a map, and the way to change it. */
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
        title="Who may read the map"
        description="An address map tells where every instance is: let it be read by those who need it."
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
        notify("Changed who may read the map.");
        void queryClient.invalidateQueries(trpc.addressMap.pathFilter());
        onDone();
      },
      onError: errors.fail,
    }),
  );
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const wish = errors.check(mapAccess, toMapAccess(draft));
        if (wish) update.mutate({ id: exposureId, ...wish });
      }}
    >
      <Field label="Readers" required error={errors.of("mode")}>
        {(control) => (
          <Select
            {...control}
            value={draft.mode}
            onChange={({ target }) => change({ mode: target.value === "keys" ? "keys" : "organization" })}
          >
            <option value="organization">Whoever may read the exposure</option>
            <option value="keys">Certain API keys, and people who may change the exposure</option>
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
        error={errors.of("networks") ?? errors.within("networks")}
        hint="One prefix a line. Readers elsewhere are refused, you too; empty for anywhere."
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
    </form>
  );
}

/** Keys that are named already stay in the list, whatever became of them. */
function KeyChoices(props: { chosen: string[]; error: string | undefined; onChange: (keys: string[]) => void }) {
  const trpc = useTRPC();
  const mayRead = useMay("key:read");
  const { data } = useQuery(
    trpc.apiKey.list.queryOptions(
      { limit: 200, sort: "name", direction: "asc", state: ["active"] },
      { enabled: mayRead },
    ),
  );
  const keys = (data?.items ?? []).filter(({ scopes }) => scopes.includes("exposure:read"));
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
        // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is inside
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
          No active key may read exposures. Make one under Settings, API keys, with the scope exposure:read.
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
