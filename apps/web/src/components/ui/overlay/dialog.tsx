"use client";
import { X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import { type ReactNode, useRef } from "react";
import { DocsLink } from "@/components/docs/docs-link.tsx";
import type { DocsTopic } from "@/components/docs/docs-topics.ts";
import { Button } from "../action/button.tsx";
import { classNames } from "../class-names.ts";
import { hasUnsaved, leave } from "../form/unsaved.ts";
import { useReturnFocus } from "./use-return-focus.ts";

export const DialogClose = Primitive.Close;

/** A dialog: a title, a description, the content, and the actions at the bottom. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  docs,
  trigger,
  footer,
  wide = false,
  children,
}: {
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  /** The paragraph that explains the fields of its form. */
  docs?: DocsTopic;
  trigger?: ReactNode;
  footer?: ReactNode;
  wide?: boolean;
  children?: ReactNode;
}) {
  const returnFocus = useReturnFocus(open);
  const content = useRef<HTMLDivElement>(null);
  const closeButton = useRef<HTMLButtonElement>(null);

  /** Input that is not saved is discarded only after a confirmation. */
  function keepUnsaved(event: { preventDefault: () => void }): void {
    if (!content.current || !hasUnsaved(content.current)) return;
    event.preventDefault();
    leave(() => closeButton.current?.click(), content.current);
  }

  return (
    <Primitive.Root {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
      {trigger ? <Primitive.Trigger asChild>{trigger}</Primitive.Trigger> : null}
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-overlay" />
        <Primitive.Content
          ref={content}
          onEscapeKeyDown={keepUnsaved}
          onPointerDownOutside={keepUnsaved}
          {...(description ? {} : { "aria-describedby": undefined })}
          onCloseAutoFocus={returnFocus}
          onOpenAutoFocus={focusFirstField}
          className={classNames(
            "fixed z-50 flex max-h-[calc(100dvh-2rem)] flex-col overflow-hidden rounded-lg border bg-raised shadow-float focus:outline-none",
            "inset-x-2 bottom-2 sm:inset-x-auto sm:bottom-auto sm:top-[12vh] sm:left-1/2 sm:w-full sm:-translate-x-1/2",
            "sm:max-h-[76vh]",
            wide ? "sm:max-w-2xl" : "sm:max-w-md",
          )}
        >
          <header className="flex items-start gap-4 px-5 pt-4 pb-3">
            <div className="min-w-0 flex-1">
              <div className="flex items-center gap-1.5">
                <Primitive.Title className="font-semibold text-lg">{title}</Primitive.Title>
                {docs ? <DocsLink topic={docs} /> : null}
              </div>
              {description ? (
                <Primitive.Description className="mt-0.5 text-muted text-sm">{description}</Primitive.Description>
              ) : null}
            </div>
            <Primitive.Close asChild>
              <Button
                ref={closeButton}
                variant="quiet"
                size="icon-sm"
                aria-label="Close"
                className="-mr-2"
                onClick={keepUnsaved}
              >
                <X aria-hidden />
              </Button>
            </Primitive.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-4">{children}</div>
          {footer ? (
            <footer className="flex flex-wrap items-center justify-end gap-2 border-t bg-surface px-5 py-3">
              {footer}
            </footer>
          ) : null}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** Focuses the first field of a form instead of the close button. */
function focusFirstField(event: Event): void {
  const field = (event.currentTarget as HTMLElement).querySelector<HTMLElement>(
    "input:not([type=checkbox], [type=hidden]), select, textarea",
  );
  if (!field) return;
  event.preventDefault();
  field.focus();
}
