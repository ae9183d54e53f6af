"use client";
import { type ComponentProps, useEffect } from "react";
import { classNames } from "../class-names.ts";
import { useEarlyInput } from "./use-early-input.ts";

export function Checkbox({
  indeterminate = false,
  className,
  ...props
}: Omit<ComponentProps<"input">, "type" | "ref"> & { indeterminate?: boolean }) {
  const ref = useEarlyInput<HTMLInputElement>();
  useEffect(() => {
    if (ref.current) ref.current.indeterminate = indeterminate;
  }, [indeterminate, ref]);
  return (
    <input
      ref={ref}
      type="checkbox"
      autoComplete="off"
      className={classNames(
        "size-4 shrink-0 cursor-pointer rounded-sm accent-accent disabled:cursor-not-allowed",
        className,
      )}
      {...props}
    />
  );
}
