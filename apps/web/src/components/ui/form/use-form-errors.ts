"use client";
import { useState } from "react";
import type { z } from "zod";
import { fieldErrors, problemOf } from "@/trpc/problem.ts";

export type FormErrors = {
  /** The error of a field, by its path joined with dots. */
  of: (path: string) => string | undefined;
  /** The first error of a part of a field, if the form has one field for many values. */
  within: (path: string) => string | undefined;
  /** The errors that belong to no field of this form. */
  general: string;
  /** How many submits failed, for Form. */
  failures: number;
  /** check returns the parsed value, or null with the errors set. */
  check: <Schema extends z.ZodType>(schema: Schema, value: unknown) => z.output<Schema> | null;
  /** Shows the errors that the server returned. */
  fail: (error: unknown) => void;
  set: (errors: Record<string, string>) => void;
  /** clear removes the error of a field, or all. */
  clear: (path?: string) => void;
};

/**
 * useFormErrors shows errors of the schema or the server under their fields, and the others above the buttons. wholes
 * are fields that collect the errors of all their parts.
 */
export function useFormErrors(paths: readonly string[], wholes: readonly string[] = []): FormErrors {
  const [errors, setErrors] = useState<Record<string, string | undefined>>({});
  const [general, setGeneral] = useState("");
  const [failures, setFailures] = useState(0);
  const countFailure = () => setFailures((before) => before + 1);
  const isShown = (path: string) => paths.includes(path) || wholes.includes(path.split(".")[0] ?? "");
  return {
    of: (path) => errors[path],
    within: (path) => Object.entries(errors).find(([each]) => each.startsWith(`${path}.`))?.[1],
    general,
    failures,
    check(schema, value) {
      const parsed = schema.safeParse(value);
      setGeneral("");
      if (parsed.success) {
        setErrors({});
        return parsed.data;
      }
      const found: Record<string, string> = {};
      for (const { path, message } of parsed.error.issues) found[path.map(String).join(".")] ??= asSentence(message);
      setErrors(found);
      setGeneral(elsewhere(found, isShown));
      countFailure();
      return null;
    },
    fail(error) {
      const problem = problemOf(error);
      const found = fieldErrors(problem);
      setErrors(found);
      setGeneral(Object.keys(found).some(isShown) ? elsewhere(found, isShown) : problem.message);
      countFailure();
    },
    set(found) {
      setErrors(found);
      countFailure();
    },
    clear(path) {
      setErrors((before) => (path ? { ...before, [path]: undefined } : {}));
      if (!path) setGeneral("");
    },
  };
}

function elsewhere(found: Record<string, string>, isShown: (path: string) => boolean): string {
  const others = Object.entries(found).filter(([path]) => !isShown(path));
  return others.map(([path, message]) => (path ? `${path}: ${message}` : message)).join(" ");
}

function asSentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}
