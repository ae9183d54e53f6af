import type { ZodError } from "zod";

/** What a form shows after it was sent: a sentence for the whole, one for each field, and what to keep of the input. */
export type FormState = { message?: string; fields?: Record<string, string>; kept?: Record<string, string> };

/** problemsOf names each field's first problem. */
export function problemsOf(error: ZodError): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const issue of error.issues) problems[String(issue.path[0])] ??= sentence(issue.message);
  return problems;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}

/** textOf reads a field of a form; a file in its place counts as nothing. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
