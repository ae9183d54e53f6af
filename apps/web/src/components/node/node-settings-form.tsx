"use client";
import type { NodeDetail, UpdateNode } from "@fairlead/domain/node";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ConflictNotice } from "@/components/detail/conflict-notice.tsx";
import { explainDenied } from "@/components/detail/explain-denied.ts";
import { useMay, useSession } from "@/components/frame/session.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Form } from "@/components/ui/form/form.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { serverNow } from "@/live/server-clock.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrors, problemOf } from "@/trpc/problem.ts";
import { describePatterns } from "./interface-pattern.ts";
import { checkSettings, type SettingsDraft, settingsDraft } from "./settings-draft.ts";
import { SettingsProgressLine } from "./settings-progress-line.tsx";

/** The settings of the agents of a node. Tracks a saved change until the agent runs it. */
export function NodeSettingsForm({ node }: { node: NodeDetail }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const may = useMay("node:write");
  const { organization } = useSession();
  // The input and the generation it is based on; null while it equals the node's settings.
  const [edit, setEdit] = useState<{ draft: SettingsDraft; generation: number } | null>(null);
  const [saved, setSaved] = useState<{ fromRevision: number; at: number } | null>(null);
  const revision = Math.max(0, ...node.agents.map((agent) => agent.desiredRevision));
  const save = useMutation(
    trpc.node.update.mutationOptions({
      onSuccess(_after, sent) {
        if (sent.settings) setSaved({ fromRevision: revision, at: serverNow() });
        setEdit(null);
        return queryClient.invalidateQueries({ queryKey: trpc.node.pathKey() });
      },
    }),
  );
  const stored = settingsDraft(node.settings);
  const draft = edit?.draft ?? stored;
  const checked = checkSettings(draft);
  const problem = save.error ? problemOf(save.error) : null;
  const errors = { ...(problem ? fieldErrors(problem) : {}), ...(edit ? checked.problems : null) };
  const changed = JSON.stringify(draft) !== JSON.stringify(stored);

  function type(change: Partial<SettingsDraft>): void {
    setSaved(null);
    setEdit({ draft: { ...draft, ...change }, generation: edit?.generation ?? node.generation });
  }
  function send(settings: NonNullable<UpdateNode["settings"]>, expectedGeneration: number): void {
    save.mutate({ id: node.id, settings, expectedGeneration });
  }
  function submit(): void {
    if (checked.settings && edit) send(checked.settings, edit.generation);
  }
  function discard(): void {
    setEdit(null);
    save.reset();
  }

  return (
    <Form
      failures={save.isError ? save.submittedAt : 0}
      isUnsaved={changed}
      onSubmit={submit}
      className="flex flex-col gap-4"
    >
      <fieldset disabled={!may} className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Sample interval, seconds"
          docs="nodeSettings"
          hint="How often the agent measures."
          required
          error={errors["settings.sampleIntervalMs"]}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              value={draft.sampleSeconds}
              onChange={(event) => type({ sampleSeconds: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="Report interval, seconds"
          docs="nodeSettings"
          hint="After three missed reports, the node counts as silent."
          required
          error={errors["settings.reportIntervalMs"]}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              value={draft.reportSeconds}
              onChange={(event) => type({ reportSeconds: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="Excluded interfaces"
          docs="nodeSettings"
          hint={describePatterns(draft.excluded, node.facts?.interfaces.map((each) => each.name) ?? [])}
          className="sm:col-span-2"
          error={errors["settings.excludedInterfaces"]}
        >
          {(control) => (
            <Input
              {...control}
              className="font-mono text-xs"
              value={draft.excluded}
              spellCheck={false}
              onChange={(event) => type({ excluded: event.target.value })}
            />
          )}
        </Field>
      </fieldset>
      {problem?.code === "precondition-failed" ? (
        <ConflictNotice
          noun="node"
          subjectId={node.id}
          onReload={discard}
          onOverwrite={() => checked.settings && send(checked.settings, node.generation)}
        />
      ) : problem && problem.fields.length === 0 ? (
        <p role="alert" className="text-bad text-sm">
          {problem.message} The agent keeps running its current settings.
        </p>
      ) : null}
      <div className="flex min-h-8 flex-wrap items-center gap-3">
        {may ? (
          <>
            <Button type="submit" variant="primary" disabled={!changed || !checked.settings} busy={save.isPending}>
              Save
            </Button>
            {changed ? <Button onClick={discard}>Discard</Button> : null}
          </>
        ) : (
          <p className="text-muted text-sm">{explainDenied("node:write", organization.role)}</p>
        )}
        {saved ? <SettingsProgressLine node={node} saved={saved} /> : null}
      </div>
    </Form>
  );
}
