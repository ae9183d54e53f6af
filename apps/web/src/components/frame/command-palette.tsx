"use client";
import dynamic from "next/dynamic";
import { Dialog as Primitive } from "radix-ui";
import { useEffect, useState } from "react";
import { useReturnFocus } from "../ui/overlay/use-return-focus.ts";
import { onOpenPalette } from "./palette-state.ts";

// Loaded when it is first opened, so that no page waits for it.
const PaletteBody = dynamic(() => import("./palette-body.tsx").then((module) => module.PaletteBody), {
  ssr: false,
  loading: () => <div className="h-12" />,
});

/** ⌘K: all pages, all actions, and all objects by name. */
export function CommandPalette() {
  const [open, setOpen] = useState(false);
  const returnFocus = useReturnFocus(open);
  useEffect(() => onOpenPalette(() => setOpen(true)), []);
  return (
    <Primitive.Root open={open} onOpenChange={setOpen}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-overlay" />
        <Primitive.Content
          aria-describedby={undefined}
          // The body focuses itself once it is rendered.
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={returnFocus}
          className="fixed inset-x-2 top-2 z-50 overflow-hidden rounded-lg border bg-raised shadow-float sm:inset-x-auto sm:top-[14vh] sm:left-1/2 sm:w-full sm:max-w-xl sm:-translate-x-1/2"
        >
          <Primitive.Title className="sr-only">Find a page, an action or an object</Primitive.Title>
          <PaletteBody onDone={() => setOpen(false)} />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
