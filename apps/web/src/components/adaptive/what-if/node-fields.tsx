"use client";
import { useState } from "react";
import { Field } from "@/components/ui/form/field.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import type { FormErrors } from "@/components/ui/form/use-form-errors.ts";
import { ShowMore } from "@/components/ui/layout/show-more.tsx";
import { type Draft, pathOf, type WhatIfNode } from "./draft.ts";

const firstShown = 8;
const columns = "grid grid-cols-[minmax(0,1fr)_6rem_6rem] items-start gap-3";

type Props = { nodes: WhatIfNode[]; draft: Draft; errors: FormErrors; onChange: (draft: Draft) => void };

/** For each node, how many instances it has after the change, and how much longer requests take there. */
export function NodeFields({ nodes, draft, errors, onChange }: Props) {
  const [all, setAll] = useState(false);
  return (
    <div className="flex flex-col gap-2">
      <div aria-hidden className={`${columns} border-b pb-1.5 text-muted text-xs`}>
        <span>Node</span>
        <span>Instances</span>
        <span>Request time ×</span>
      </div>
      {(all ? nodes : nodes.slice(0, firstShown)).map((node) => (
        <div key={node.nodeId} className={columns}>
          <span className="wrap-anywhere pt-1.5 text-sm">{node.nodeName}</span>
          <NodeField label={`Instances on ${node.nodeName}`} of="instances" {...{ node, draft, errors, onChange }} />
          <NodeField
            label={`Request time on ${node.nodeName}, times as now`}
            of="slowed"
            {...{ node, draft, errors, onChange }}
          />
        </div>
      ))}
      <ShowMore total={nodes.length} first={firstShown} all={all} onChange={setAll} />
    </div>
  );
}

function NodeField(
  props: { label: string; of: "instances" | "slowed"; node: WhatIfNode } & Pick<Props, "draft" | "errors" | "onChange">,
) {
  const { of, node, draft, errors } = props;
  const path = pathOf(draft, of, node.nodeId);
  return (
    <Field label={props.label} labelClassName="sr-only" docs={null} error={path === null ? undefined : errors.of(path)}>
      {(control) => (
        <Input
          {...control}
          inputMode="decimal"
          className="tabular"
          placeholder="as now"
          value={draft[of][node.nodeId] ?? ""}
          onChange={({ target }) => props.onChange({ ...draft, [of]: { ...draft[of], [node.nodeId]: target.value } })}
        />
      )}
    </Field>
  );
}
