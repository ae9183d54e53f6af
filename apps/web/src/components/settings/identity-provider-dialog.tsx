"use client";
import { createIdentityProvider } from "@fairlead/domain/access";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSession } from "@/components/frame/session.tsx";
import { CommandLine } from "@/components/ui/action/command-line.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Form } from "@/components/ui/form/form.tsx";
import { FormFoot } from "@/components/ui/form/form-foot.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { useFormErrors } from "@/components/ui/form/use-form-errors.ts";
import { notify } from "@/components/ui/layout/notices.tsx";
import { Dialog } from "@/components/ui/overlay/dialog.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { callbackUrl, emptyProvider, type ProviderDraft, splitDomains } from "./provider-draft.ts";
import { RoleSelect } from "./role-select.tsx";
import { roleWords } from "./role-words.ts";

/** Adds an identity provider. Its redirect URI is known as soon as it has a name. */
export function IdentityProviderDialog({ url, open, onClose }: { url: string; open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      wide
      title="Add an identity provider"
      description="Any OpenID Connect issuer. Its configuration is checked before it is saved."
    >
      <IdentityProviderForm url={url} onDone={onClose} />
    </Dialog>
  );
}

function IdentityProviderForm({ url, onDone }: { url: string; onDone: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { organization } = useSession();
  const [draft, setDraft] = useState<ProviderDraft>(emptyProvider);
  const errors = useFormErrors(["name", "issuer", "clientId", "clientSecret", "domains", "defaultRole"]);
  const change = (part: Partial<ProviderDraft>) => setDraft((before) => ({ ...before, ...part }));
  const create = useMutation(
    trpc.identityProvider.create.mutationOptions({
      onSuccess(provider) {
        void queryClient.invalidateQueries(trpc.identityProvider.pathFilter());
        notify(`Added ${provider.name}. Users of ${provider.domains.join(", ")} can sign in with it.`);
        onDone();
      },
      onError: errors.fail,
    }),
  );
  function submit(): void {
    const { domains, ...rest } = draft;
    const spec = errors.check(createIdentityProvider, { ...rest, domains: splitDomains(domains) });
    if (spec) create.mutate(spec);
  }
  const text = (field: "name" | "issuer" | "clientId" | "clientSecret" | "domains") => ({
    value: draft[field],
    onChange: (event: { target: { value: string } }) => change({ [field]: event.target.value }),
    autoComplete: "off",
    spellCheck: false,
  });
  return (
    <Form failures={errors.failures} className="flex flex-col gap-4" onSubmit={submit}>
      <Field
        label="Name"
        docs="signIn"
        required
        error={errors.of("name")}
        hint="Shown on the sign-in page. It can't be changed later."
      >
        {(control) => <Input {...control} autoFocus placeholder="example" {...text("name")} />}
      </Field>
      <div>
        <p className="mb-1 font-medium text-sm">Redirect URI</p>
        <CommandLine label="Redirect URI" command={callbackUrl(url, organization.id, draft.name)} />
        <p className="mt-1 text-muted text-xs">
          Register this URI with the provider. It gives you the client id and the secret.
        </p>
      </div>
      <Field label="Issuer" docs="signIn" required error={errors.of("issuer")}>
        {(control) => <Input {...control} placeholder="https://login.example.com" {...text("issuer")} />}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Client id" docs="signIn" required error={errors.of("clientId")}>
          {(control) => <Input {...control} {...text("clientId")} />}
        </Field>
        <Field
          label="Client secret"
          docs="signIn"
          required
          error={errors.of("clientSecret")}
          hint="Stored encrypted. It can't be read again."
        >
          {(control) => <Input {...control} type="password" {...text("clientSecret")} autoComplete="new-password" />}
        </Field>
        <Field
          label="Email domains"
          docs="signIn"
          required
          error={errors.of("domains")}
          hint="Comma-separated. Only verified addresses of these domains can sign in."
        >
          {(control) => <Input {...control} placeholder="example.com" {...text("domains")} />}
        </Field>
        <Field
          label="Initial role"
          docs="members"
          required
          error={errors.of("defaultRole")}
          hint={roleWords[draft.defaultRole]}
        >
          {(control) => (
            <RoleSelect {...control} value={draft.defaultRole} onChange={(defaultRole) => change({ defaultRole })} />
          )}
        </Field>
      </div>
      <FormFoot problem={errors.general} action="Add provider" busy={create.isPending} onCancel={onDone} />
    </Form>
  );
}
