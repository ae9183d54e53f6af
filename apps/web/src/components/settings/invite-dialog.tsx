"use client";
import { type CreatedInvitation, createInvitation, type Role } from "@fairlead/domain";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { FormFoot } from "@/components/ui/form-foot.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Until } from "@/components/ui/until.tsx";
import { useFormErrors } from "@/components/ui/use-form-errors.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { RoleSelect } from "./role-select.tsx";
import { roleWords } from "./role-words.ts";
import { ShownOnce } from "./shown-once.tsx";

/** Makes an invitation, then shows its link this once. */
export function InviteDialog({ url, open, onClose }: { url: string; open: boolean; onClose: () => void }) {
  const [made, setMade] = useState<CreatedInvitation | null>(null);
  function close(): void {
    setMade(null);
    onClose();
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) close();
      }}
      wide={made !== null}
      title={made ? `The invitation for ${made.email}` : "Invite somebody"}
      {...(made ? {} : { description: "Nothing is sent: you get a link to pass on yourself." })}
    >
      {made ? (
        <>
          <ShownOnce label="Invitation link" value={new URL(made.path, url).href}>
            <p className="text-muted text-sm">
              Pass it on to {made.email}. It works once, for the role {made.role};{" "}
              <Until at={made.expiresAt} past="it has expired" />.
            </p>
          </ShownOnce>
          <div className="flex justify-end pt-4">
            <Button onClick={close}>Done</Button>
          </div>
        </>
      ) : (
        <InviteForm onMade={setMade} onCancel={close} />
      )}
    </Dialog>
  );
}

function InviteForm({ onMade, onCancel }: { onMade: (invitation: CreatedInvitation) => void; onCancel: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("operator");
  const errors = useFormErrors(["email", "role"]);
  const create = useMutation(
    trpc.invitation.create.mutationOptions({
      onSuccess(invitation) {
        void queryClient.invalidateQueries(trpc.invitation.pathFilter());
        onMade(invitation);
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
        const wish = errors.check(createInvitation, { email, role });
        if (wish) create.mutate(wish);
      }}
    >
      <Field label="E-mail" required error={errors.of("email")} hint="Only this address can use the link.">
        {(control) => (
          <Input
            {...control}
            type="email"
            autoFocus
            autoComplete="off"
            placeholder="ada@example.com"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Field>
      <Field label="Role" required error={errors.of("role")} hint={roleWords[role]}>
        {(control) => <RoleSelect {...control} value={role} onChange={setRole} />}
      </Field>
      <FormFoot problem={errors.general} action="Make the link" busy={create.isPending} onCancel={onCancel} />
    </form>
  );
}
