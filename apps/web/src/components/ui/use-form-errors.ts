"use client";
import { useState } from "react";
import type { z } from "zod";
import { fieldErrors, problemOf } from "@/trpc/problem.ts";

export type FormErrors = {
  /** The message under a field, by its path joined with dots. */
  of: (path: string) => string | undefined;
  /** The first message about a part of a field, where the form has one field for many values. */
  within: (path: string) => string | undefined;
  /** What is about no field of this form. */
  general: string;
  /** check answers the parsed value, or null with the messages set. */
  check: <Schema extends z.ZodType>(schema: Schema, value: unknown) => z.output<Schema> | null;
  /** Takes over what the server refused. */
  fail: (error: unknown) => void;
  set: (errors: Record<string, string>) => void;
  clear: () => void;
};

/**
 * useFormErrors shows under its field what the schema or the server finds wrong; the rest goes above the
 * buttons. wholes are fields that stand for all that is within them.
 */
export function useFormErrors(paths: readonly string[], wholes: readonly string[] = []): FormErrors {
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [general, setGeneral] = useState("");
  const isShown = (path: string) => paths.includes(path) || wholes.includes(path.split(".")[0] ?? "");
  return {
    of: (path) => errors[path],
    within: (path) => Object.entries(errors).find(([each]) => each.startsWith(`${path}.`))?.[1],
    general,
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
      return null;
    },
    fail(error) {
      const problem = problemOf(error);
      const found = fieldErrors(problem);
      setErrors(found);
      setGeneral(Object.keys(found).some(isShown) ? elsewhere(found, isShown) : problem.message);
    },
    set: setErrors,
    clear() {
      setErrors({});
      setGeneral("");
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
