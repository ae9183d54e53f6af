"use client";
import { Upload } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Textarea } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import { type AttachDraft, type AttachWay, attachWays, readKubeconfigFile } from "./attach-draft.ts";
import { KubeconfigPreviewPanel } from "./kubeconfig-preview.tsx";
import { useKubeconfigPreview } from "./use-kubeconfig-preview.ts";

const ways: Record<AttachWay, { title: string; hint: string }> = {
  kubeconfig: { title: "With a kubeconfig", hint: "It is sealed when it is stored, and never shown again." },
  "in-cluster": {
    title: "As the pod that Fairlead runs in",
    hint: "With the service account of the controller’s pod, if whoever runs Fairlead allows that.",
  },
};

/** How a Kubernetes cluster's API is reached, with what would come of it. */
export function AttachFields({
  draft,
  onChange,
  errorOf,
  mayWait,
}: {
  draft: AttachDraft;
  onChange: (draft: AttachDraft) => void;
  errorOf: (field: "kubeconfig" | "context" | "inCluster") => string | undefined;
  /** Whether it may be left for later. */
  mayWait: boolean;
}) {
  const state = useKubeconfigPreview(draft.way === "kubeconfig" ? draft.text : "", draft.context);
  const contexts = state.preview?.contexts ?? [];
  return (
    <>
      <Field label="Reach its API" required error={errorOf("inCluster")} hint={ways[draft.way].hint}>
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
              required
              error={errorOf("context")}
              hint={`It has ${contexts.length}; each is another way in.`}
            >
              {(control) => (
                <Select
                  {...control}
                  value={draft.context || (state.preview?.contextName ?? "")}
                  onChange={({ target }) => onChange({ ...draft, context: target.value })}
                >
                  {state.preview?.contextName ? null : <option value="">Choose one</option>}
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
        required={!mayWait}
        error={problem || error}
        hint={`As kubectl config view --minify --flatten --raw prints it.${mayWait ? " It may be given later, too." : ""}`}
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
            // So that the same file can be chosen again, once it is mended.
            target.value = "";
          }}
        />
        <Button size="sm" onClick={() => document.getElementById(fileId)?.click()}>
          <Upload aria-hidden />
          Choose a file
        </Button>
      </div>
    </div>
  );
}
