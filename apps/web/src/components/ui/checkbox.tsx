"use client";
import { type ComponentProps, useEffect, useRef } from "react";
import { classNames } from "./class-names.ts";

export function Checkbox({
  indeterminate = false,
  className,
  ...props
}: Omit<ComponentProps<"input">, "type" | "ref"> & { indeterminate?: boolean }) {
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (ref.current) ref.current.indeterminate = indeterminate;
  }, [indeterminate]);
  return (
    <input
      ref={ref}
      type="checkbox"
      className={classNames("size-4 cursor-pointer rounded-sm accent-accent disabled:cursor-not-allowed", className)}
      {...props}
    />
  );
}
