"use client";
import { findSoftwareLack, ticketSoftware } from "@fairlead/domain/exposure";
import { Field } from "@/components/ui/form/field.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import { ticketSoftwareTitles } from "@/components/words/ticket-keys.ts";
import type { SessionDraft } from "./session-draft.ts";
import type { ExposureForm } from "./use-exposure-form.ts";

type TextName = "folder" | "socket" | "secret" | "rotateHours";

/** How managed ticket keys reach the servers. */
export function TicketKeyFields({ form }: { form: ExposureForm }) {
  const { session } = form.draft;
  const kind = form.cluster?.kind ?? "lab";
  const isForPods = kind === "kubernetes";
  const change = (part: Partial<SessionDraft>) => form.change({ session: { ...session, ...part } });
  const text = (name: TextName) => ({
    value: session[name],
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
    onBlur: () => form.touch(`strategy.ticketKeys.${name}`),
  });
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-[10rem_minmax(0,1fr)]">
        <Field
          label="Server software"
          docs="managedTicketKeys"
          required
          error={form.error("strategy.ticketKeys.software")}
        >
          {(control) => (
            <Select
              {...control}
              value={session.software}
              onChange={(event) => {
                const software = ticketSoftware.find((each) => each === event.target.value);
                if (software) change({ software });
              }}
            >
              {ticketSoftware.map((each) => (
                <option key={each} value={each} disabled={findSoftwareLack(kind, each) !== null}>
                  {ticketSoftwareTitles[each]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field
          label="Folder for keys"
          docs="managedTicketKeys"
          hint={
            isForPods ? "Where pods mount the Secret." : "On each node. {instance} becomes the name of the instance."
          }
          required
          error={form.error("strategy.ticketKeys.folder")}
        >
          {(control) => (
            <Input
              {...control}
              {...text("folder")}
              autoComplete="off"
              spellCheck={false}
              placeholder={isForPods ? `/etc/${session.software}/tickets` : "/run/fairlead/tickets/{instance}"}
            />
          )}
        </Field>
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-[10rem_minmax(0,1fr)]">
        <Field
          label="Rotate every, hours"
          docs="managedTicketKeys"
          required
          error={form.error("strategy.ticketKeys.rotateHours")}
        >
          {(control) => <Input {...control} {...text("rotateHours")} inputMode="numeric" />}
        </Field>
        {isForPods || session.secret !== "" ? (
          <Field
            label="Secret"
            docs="managedTicketKeys"
            hint="In the namespace of the workload. Pods mount it, and Fairlead writes the keys there."
            required={isForPods}
            error={form.error("strategy.ticketKeys.secret")}
          >
            {(control) => (
              <Input
                {...control}
                {...text("secret")}
                autoComplete="off"
                spellCheck={false}
                placeholder={`${form.draft.name || "shop"}-tickets`}
              />
            )}
          </Field>
        ) : null}
        {session.software === "haproxy" ? (
          <Field
            label="Runtime socket"
            docs="managedTicketKeys"
            hint="With the level admin: HAProxy then gets new keys without a reload. If empty, files only."
            error={form.error("strategy.ticketKeys.socket")}
          >
            {(control) => (
              <Input
                {...control}
                {...text("socket")}
                autoComplete="off"
                spellCheck={false}
                placeholder="/run/haproxy/admin.sock"
              />
            )}
          </Field>
        ) : null}
      </div>
    </>
  );
}
