import type { ZodError } from "zod";

/**
 * The state of a form after it was submitted: one message for the whole form, one for each field, and the input to
 * keep.
 */
export type FormState = { message?: string; fields?: Record<string, string>; kept?: Record<string, string> };

/** problemsOf returns the first problem of each field. */
export function problemsOf(error: ZodError): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const issue of error.issues) problems[String(issue.path[0])] ??= sentence(issue.message);
  return problems;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}

/** textOf reads a text field of a form. A file in its place counts as empty. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
