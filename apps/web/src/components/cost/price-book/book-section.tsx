"use client";
import type { Page } from "@fairlead/domain";
import type { Permission } from "@fairlead/domain/access";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { type RowsColumn, RowsTable } from "@/components/detail/rows-table.tsx";
import type { DocsTopic } from "@/components/docs/docs-topics.ts";
import { ListProblem } from "@/components/settings/list-problem.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { ConfirmDialog } from "@/components/ui/overlay/confirm-dialog.tsx";
import { Dialog } from "@/components/ui/overlay/dialog.tsx";
import { count } from "@/components/words/numbers.ts";

/** One kind of price book entry: a table, and dialogs to add, edit and delete. */
export function BookSection<Row extends { id: string }>(props: {
  title: string;
  hint: string;
  empty: string;
  /** The kind of entry: "machine". */
  what: string;
  query: Pick<UseQueryResult<Page<Row>, unknown>, "data" | "error" | "refetch">;
  columns: RowsColumn<Row>[];
  nameOf: (row: Row) => string;
  /** The description of a dialog, and the paragraph that explains its fields. */
  description: string;
  docs: DocsTopic;
  form: (row: Row | null, onDone: () => void) => ReactNode;
  consequence: string;
  /** What is needed to change entries. */
  permission?: Permission;
  onDelete: (row: Row) => Promise<unknown>;
}) {
  const { title, what, query, nameOf, permission = "price-book:write" } = props;
  const [editing, setEditing] = useState<Row | "new" | null>(null);
  const [deleting, setDeleting] = useState<Row | null>(null);
  const { data, error } = query;
  const done = () => setEditing(null);
  const actions: RowsColumn<Row> = {
    label: "Actions",
    hidesLabel: true,
    align: "end",
    screenOnly: true,
    cell: (row) => (
      <span className="inline-flex gap-1">
        <GuardedButton
          permission={permission}
          size="sm"
          variant="quiet"
          aria-label={`Edit ${nameOf(row)}`}
          onClick={() => setEditing(row)}
        >
          Edit
        </GuardedButton>
        <GuardedButton
          permission={permission}
          size="sm"
          variant="quiet"
          aria-label={`Delete ${nameOf(row)}`}
          onClick={() => setDeleting(row)}
        >
          Delete
        </GuardedButton>
      </span>
    ),
  };
  return (
    <Section
      title={title}
      hint={props.hint}
      actions={
        <GuardedButton permission={permission} size="sm" variant="primary" onClick={() => setEditing("new")}>
          Add {what}
        </GuardedButton>
      }
    >
      {error && !data ? (
        <ListProblem error={error} onRetry={() => void query.refetch()} />
      ) : (
        <RowsTable<Row>
          label={title}
          rows={data?.items}
          rowKey={(row) => row.id}
          stacks
          empty={props.empty}
          columns={[...props.columns, actions]}
        />
      )}
      {data && data.total > data.items.length ? (
        <p className="pt-2 text-muted text-sm">
          {count(data.items.length)} of {count(data.total)}. Use the API to list all.
        </p>
      ) : null}
      <Dialog
        open={editing !== null}
        onOpenChange={(open) => {
          if (!open) done();
        }}
        wide
        title={editing === null || editing === "new" ? `Add ${what}` : `Edit ${nameOf(editing)}`}
        description={props.description}
        docs={props.docs}
      >
        {editing === null ? null : props.form(editing === "new" ? null : editing, done)}
      </Dialog>
      <ConfirmDialog
        open={deleting !== null}
        onOpenChange={(open) => {
          if (!open) setDeleting(null);
        }}
        title={`Delete ${deleting ? nameOf(deleting) : what}?`}
        action={`Delete ${what}`}
        consequence={
          <div className="flex flex-col gap-2">
            <p>{props.consequence}</p>
            <p className="text-muted">Traffic is not affected.</p>
          </div>
        }
        onConfirm={async () => {
          if (deleting) await props.onDelete(deleting);
        }}
      />
    </Section>
  );
}
