"use client";
import { type ReactNode, useContext, useEffect, useRef } from "react";
import { focusFirstProblem } from "./focus-first-problem.ts";
import { PanelContext } from "./panel.ts";
import { markUnsaved } from "./unsaved.ts";

/**
 * A form that focuses its first invalid field after a failed submit. While it has input that is not saved, leaving it must
 * be confirmed.
 */
export function Form({
  failures,
  isUnsaved,
  className,
  onSubmit,
  children,
}: {
  /** Changes with each failed submit. */
  failures: number;
  /** By default, any input counts as unsaved until a submit succeeds. */
  isUnsaved?: boolean;
  className?: string;
  onSubmit: () => void;
  children: ReactNode;
}) {
  const ref = useRef<HTMLFormElement>(null);
  const panel = useContext(PanelContext);
  const failed = useRef(failures);
  const mark = (value: boolean) => {
    if (ref.current && isUnsaved === undefined) markUnsaved(ref.current, value);
  };

  useEffect(() => {
    const form = ref.current;
    if (!form || failed.current === failures) return;
    failed.current = failures;
    if (failures === 0) return;
    if (isUnsaved === undefined) markUnsaved(form, true);
    focusFirstProblem(form);
  }, [failures, isUnsaved]);
  useEffect(() => {
    if (ref.current && isUnsaved !== undefined) markUnsaved(ref.current, isUnsaved);
  }, [isUnsaved]);
  useEffect(() => {
    const form = ref.current;
    return () => {
      if (form) markUnsaved(form, false);
    };
  }, []);

  return (
    <form
      ref={ref}
      noValidate
      data-panel={panel}
      className={className}
      onInput={(event) => {
        // Events of a dialog that the form opens also arrive here.
        if (event.target instanceof Node && event.currentTarget.contains(event.target)) mark(true);
      }}
      onSubmit={(event) => {
        if (event.target !== event.currentTarget) return; // of a dialog that the form opens
        event.preventDefault();
        mark(false);
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
