"use client";
import { Upload } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "@/components/ui/action/button.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Textarea } from "@/components/ui/form/input.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import { type AttachDraft, type AttachWay, attachWays, readKubeconfigFile } from "./attach-draft.ts";
import { KubeconfigPreviewPanel } from "./kubeconfig-preview.tsx";
import { useKubeconfigPreview } from "./use-kubeconfig-preview.ts";

const ways: Record<AttachWay, { title: string; hint: string }> = {
  kubeconfig: { title: "With a kubeconfig", hint: "It is stored encrypted, and never shown again." },
  "in-cluster": {
    title: "As the controller's pod",
    hint: "With the service account of the controller's pod, if the operator of Fairlead allows it.",
  },
};

/** How to reach the API of a Kubernetes cluster, with a preview. */
export function AttachFields({
  draft,
  onChange,
  errorOf,
  mayWait,
}: {
  draft: AttachDraft;
  onChange: (draft: AttachDraft) => void;
  errorOf: (field: "kubeconfig" | "context" | "inCluster") => string | undefined;
  /** Whether it can be set later. */
  mayWait: boolean;
}) {
  const state = useKubeconfigPreview(draft.way === "kubeconfig" ? draft.text : "", draft.context);
  const contexts = state.preview?.contexts ?? [];
  return (
    <>
      <Field label="Connection" docs="kubeconfig" required error={errorOf("inCluster")} hint={ways[draft.way].hint}>
        {(control) => (
          <Select
            {...control}
            value={draft.way}
            onChange={({ target }) =>
              onChange({ ...draft, way: attachWays.find((each) => each === target.value) ?? draft.way })
            }
          >
            {attachWays.map((each) => (
              <option key={each} value={each}>
                {ways[each].title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {draft.way === "kubeconfig" ? (
        <>
          <KubeconfigText draft={draft} onChange={onChange} error={errorOf("kubeconfig")} mayWait={mayWait} />
          {contexts.length > 1 ? (
            <Field
              label="Context"
              docs="kubeconfig"
              required
              error={errorOf("context")}
              hint={`The kubeconfig has ${contexts.length} contexts.`}
            >
              {(control) => (
                <Select
                  {...control}
                  value={draft.context || (state.preview?.contextName ?? "")}
                  onChange={({ target }) => onChange({ ...draft, context: target.value })}
                >
                  {state.preview?.contextName ? null : <option value="">Choose a context</option>}
                  {contexts.map((each) => (
                    <option key={each} value={each}>
                      {each}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          ) : null}
          <KubeconfigPreviewPanel state={state} />
        </>
      ) : null}
    </>
  );
}

function KubeconfigText({
  draft,
  onChange,
  error,
  mayWait,
}: {
  draft: AttachDraft;
  onChange: (draft: AttachDraft) => void;
  error: string | undefined;
  mayWait: boolean;
}) {
  const fileId = useId();
  const [problem, setProblem] = useState("");
  async function take(file: File | undefined) {
    if (!file) return;
    const read = await readKubeconfigFile(file);
    setProblem("problem" in read ? read.problem : "");
    if ("text" in read) onChange({ ...draft, text: read.text, context: "" });
  }
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="Kubeconfig"
        docs="rejectedKubeconfig"
        required={!mayWait}
        error={problem || error}
        hint={`The output of kubectl config view --minify --flatten --raw.${mayWait ? " You can also set it later." : ""}`}
      >
        {(control) => (
          <Textarea
            {...control}
            rows={5}
            spellCheck={false}
            autoComplete="off"
            className="max-h-64 font-mono text-xs"
            placeholder={"apiVersion: v1\nkind: Config\nclusters: …"}
            value={draft.text}
            onChange={({ target }) => {
              setProblem("");
              onChange({ ...draft, text: target.value, context: "" });
            }}
          />
        )}
      </Field>
      <div>
        <input
          id={fileId}
          type="file"
          className="sr-only"
          tabIndex={-1}
          aria-label="Kubeconfig file"
          onChange={({ target }) => {
            void take(target.files?.[0]);
            // Allows choosing the same file again after fixing it.
            target.value = "";
          }}
        />
        <Button size="sm" onClick={() => document.getElementById(fileId)?.click()}>
          <Upload aria-hidden />
          Choose file
        </Button>
      </div>
    </div>
  );
}
