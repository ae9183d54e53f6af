"use client";
import { type ReactNode, useId } from "react";
import { DocsLink } from "@/components/docs/docs-link.tsx";
import type { DocsTopic } from "@/components/docs/docs-topics.ts";
import { classNames } from "../class-names.ts";

type ControlProps = {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
  "aria-required"?: true;
};

/** A labelled control. The hint and the error are linked to it, so that screen readers announce them with the name. */
export function Field({
  label,
  hint,
  docs,
  error,
  required = false,
  labelClassName,
  className,
  children,
}: {
  label: string;
  hint?: ReactNode;
  /** The paragraph that explains the field. null if its label and hint are enough, or its group links to the paragraph. */
  docs: DocsTopic | null;
  error?: string | undefined;
  required?: boolean;
  /** For rows of fields, where only the first row shows labels: "md:sr-only". */
  labelClassName?: string | undefined;
  className?: string;
  children: (control: ControlProps) => ReactNode;
}) {
  const id = useId();
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  const control: ControlProps = {
    id,
    ...(described ? { "aria-describedby": described } : {}),
    ...(error ? { "aria-invalid": true } : {}),
    ...(required ? { "aria-required": true } : {}),
  };
  return (
    <div className={classNames("flex flex-col gap-1", className)}>
      <div className={classNames("flex items-center gap-1.5", labelClassName)}>
        <label htmlFor={id} className="font-medium text-sm">
          {label}
          {required ? null : <span className="ml-1.5 font-normal text-muted text-xs">optional</span>}
        </label>
        {docs ? <DocsLink topic={docs} /> : null}
      </div>
      {children(control)}
      {hint ? (
        <p id={`${id}-hint`} className="text-muted text-xs">
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} className="text-bad text-xs" role="alert">
          {error}
        </p>
      ) : null}
    </div>
  );
}
