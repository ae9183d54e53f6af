"use client";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";

/** Asks before something that can't be taken back: says what it means, and has the name typed where it matters. */
export function ConfirmDialog(props: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What happens, to traffic above all. */
  consequence: ReactNode;
  /** What has to be typed first. */
  typed?: string;
  action: string;
  busy: boolean;
  error?: string | null;
  onConfirm: () => void;
}) {
  const [text, setText] = useState("");
  const ready = props.typed === undefined || text === props.typed;
  function change(open: boolean): void {
    setText("");
    props.onOpenChange(open);
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (ready) props.onConfirm();
  }
  return (
    <Dialog open={props.open} onOpenChange={change} title={props.title}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <div className="flex flex-col gap-2 text-sm">{props.consequence}</div>
        {props.typed === undefined ? null : (
          <Field label={`Type ${props.typed} to confirm`} required>
            {(control) => (
              <Input
                {...control}
                value={text}
                onChange={(event) => setText(event.target.value)}
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                className="font-mono"
              />
            )}
          </Field>
        )}
        {props.error ? (
          <p role="alert" className="text-bad text-sm">
            {props.error}
          </p>
        ) : null}
        <div className="flex justify-end gap-2">
          <Button onClick={() => change(false)}>Keep it</Button>
          <Button type="submit" variant="danger" disabled={!ready} busy={props.busy}>
            {props.action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
