"use client";
import { Plus, X } from "lucide-react";
import type { ReactNode } from "react";
import type { DocsTopic } from "@/components/docs/docs-topics.ts";
import { Button } from "@/components/ui/action/button.tsx";
import { IconButton } from "@/components/ui/action/icon-button.tsx";
import { Fieldset } from "@/components/ui/form/fieldset.tsx";

/** Rows of fields that can be added and removed. On wide screens, only the first row shows labels. */
export function RowFields<Row extends { key: string }>(props: {
  legend: string;
  docs: DocsTopic;
  hint?: string;
  error?: string | undefined;
  rows: Row[];
  rowName: (row: Row, index: number) => string;
  fewest: number;
  most: number;
  addLabel: string;
  onChange: (rows: Row[]) => void;
  emptyRow: (rows: Row[]) => Row;
  children: (row: Row, index: number, update: (change: Partial<Row>) => void) => ReactNode;
}) {
  const { rows, onChange } = props;
  return (
    <Fieldset
      title={props.legend}
      docs={props.docs}
      className="flex flex-col gap-2"
      legendClassName="mb-1 font-medium text-sm"
    >
      {props.hint ? <p className="-mt-1 text-muted text-xs">{props.hint}</p> : null}
      {rows.map((row, index) => (
        <div key={row.key} className="flex items-start gap-2 max-md:border-l-2 max-md:pl-3">
          <div className="min-w-0 flex-1">
            {props.children(row, index, (change) =>
              onChange(rows.map((each) => (each.key === row.key ? { ...each, ...change } : each))),
            )}
          </div>
          <IconButton
            label={`Remove ${props.rowName(row, index)}`}
            className={index === 0 ? "mt-6" : "max-md:mt-6"}
            disabled={rows.length <= props.fewest}
            onClick={() => onChange(rows.filter((each) => each.key !== row.key))}
          >
            <X aria-hidden />
          </IconButton>
        </div>
      ))}
      {props.error ? (
        <p role="alert" className="text-bad text-xs">
          {props.error}
        </p>
      ) : null}
      <div>
        <Button
          size="sm"
          disabled={rows.length >= props.most}
          onClick={() => onChange([...rows, props.emptyRow(rows)])}
        >
          <Plus aria-hidden />
          {props.addLabel}
        </Button>
      </div>
    </Fieldset>
  );
}
