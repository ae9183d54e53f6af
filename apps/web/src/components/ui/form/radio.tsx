"use client";
import type { ComponentProps } from "react";
import { classNames } from "../class-names.ts";
import { useEarlyInput } from "./use-early-input.ts";

export function Radio({ className, ...props }: Omit<ComponentProps<"input">, "type" | "ref">) {
  return (
    <input
      ref={useEarlyInput()}
      type="radio"
      autoComplete="off"
      className={classNames("size-4 accent-accent outline-none", className)}
      {...props}
    />
  );
}
