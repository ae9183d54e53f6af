"use client";
import { type CreatedInvitation, createInvitation, type Role } from "@fairlead/domain/access";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/action/button.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Form } from "@/components/ui/form/form.tsx";
import { FormFoot } from "@/components/ui/form/form-foot.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { useFormErrors } from "@/components/ui/form/use-form-errors.ts";
import { Dialog } from "@/components/ui/overlay/dialog.tsx";
import { Until } from "@/components/ui/time/until.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { RoleSelect } from "./role-select.tsx";
import { roleWords } from "./role-words.ts";
import { ShownOnce } from "./shown-once.tsx";

/** Creates an invitation, then shows its link once. */
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
      title={made ? `The invitation for ${made.email}` : "Invite a member"}
      {...(made ? {} : { description: "No email is sent. You get a link to share." })}
    >
      {made ? (
        <>
          <ShownOnce label="Invitation link" value={new URL(made.path, url).href}>
            <p className="text-muted text-sm">
              Send it to {made.email}. It works once, for the role {made.role};{" "}
              <Until at={made.expiresAt} past="expired" />.
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
    <Form
      failures={errors.failures}
      className="flex flex-col gap-4"
      onSubmit={() => {
        const spec = errors.check(createInvitation, { email, role });
        if (spec) create.mutate(spec);
      }}
    >
      <Field label="Email" docs={null} required error={errors.of("email")} hint="Only this address can use the link.">
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
      <Field label="Role" docs="members" required error={errors.of("role")} hint={roleWords[role]}>
        {(control) => <RoleSelect {...control} value={role} onChange={setRole} />}
      </Field>
      <FormFoot problem={errors.general} action="Create link" busy={create.isPending} onCancel={onCancel} />
    </Form>
  );
}
