"use client";
import { type ReactNode, useState } from "react";
import { problemOf } from "@/trpc/problem.ts";
import { Button } from "../action/button.tsx";
import { Field } from "../form/field.tsx";
import { FormProblem } from "../form/form-foot.tsx";
import { Input } from "../form/input.tsx";
import { Dialog, DialogClose } from "./dialog.tsx";

/**
 * Confirms a destructive action. It describes the effect on traffic. For dangerous actions, the user must type a word,
 * because one click is easily made by mistake.
 */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  consequence,
  typed,
  action,
  cancel = "Cancel",
  losesNothing = false,
  onConfirm,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  consequence: ReactNode;
  /** What must be typed first: a name, a number. */
  typed?: string;
  action: string;
  /** The text of the other button, if "Cancel" is ambiguous. */
  cancel?: string;
  /** The confirmation is due only to the amount of work, so the button is not red. */
  losesNothing?: boolean;
  onConfirm: () => Promise<unknown>;
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title}>
      <ConfirmBody
        typed={typed}
        action={action}
        cancel={cancel}
        variant={losesNothing ? "primary" : "danger"}
        onConfirm={onConfirm}
        onDone={() => onOpenChange(false)}
      >
        {consequence}
      </ConfirmBody>
    </Dialog>
  );
}

function ConfirmBody({
  typed,
  action,
  cancel,
  variant,
  onConfirm,
  onDone,
  children,
}: {
  typed: string | undefined;
  action: string;
  cancel: string;
  variant: "primary" | "danger";
  onConfirm: () => Promise<unknown>;
  onDone: () => void;
  children: ReactNode;
}) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const isReady = typed === undefined || text.trim() === typed;

  async function confirm() {
    setBusy(true);
    setProblem("");
    try {
      await onConfirm();
      onDone();
    } catch (error) {
      setProblem(problemOf(error).message);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !busy) void confirm();
      }}
    >
      <div className="text-sm">{children}</div>
      {typed === undefined ? null : (
        <Field label={`Type ${typed} to confirm`} docs={null} required>
          {(control) => (
            <Input
              {...control}
              autoFocus
              autoComplete="off"
              spellCheck={false}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
      )}
      <FormProblem message={problem} />
      <div className="flex justify-end gap-2">
        <DialogClose asChild>
          <Button>{cancel}</Button>
        </DialogClose>
        <Button type="submit" variant={variant} busy={busy} disabled={!isReady}>
          {action}
        </Button>
      </div>
    </form>
  );
}
