import { DomainError, type FieldProblem } from "@fairlead/domain";
import { summarize } from "./translate-error.ts";

const earliest = Date.UTC(1970, 0, 1);
const latest = Date.UTC(9999, 11, 31);
const maxDepth = 32;

/**
 * checkStorable refuses what PostgreSQL would refuse later with an error that names no field: NUL, a lone surrogate, a
 * time out of range.
 */
export function checkStorable(input: unknown): void {
  const fields: FieldProblem[] = [];
  collect(input, [], fields);
  if (fields.length > 0) throw new DomainError("invalid", summarize(fields), { fields });
}

function collect(value: unknown, path: (string | number)[], fields: FieldProblem[]): void {
  if (path.length > maxDepth) {
    fields.push({ path, message: "nested too deeply" });
    return;
  }
  if (typeof value === "string") {
    const message = problemOfText(value);
    if (message) fields.push({ path, message });
    return;
  }
  if (value instanceof Date) {
    if (!(value.getTime() >= earliest && value.getTime() <= latest))
      fields.push({ path, message: "enter a time between the years 1970 and 9999" });
    return;
  }
  if (!value || typeof value !== "object") return;
  for (const [key, each] of Object.entries(value)) {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    if (problemOfText(key)) fields.push({ path, message: "a name holds a character that can't be stored" });
    collect(each, at, fields);
  }
}

function problemOfText(text: string): string | null {
  if (text.includes("\0")) return "holds a NUL character, which can't be stored";
  return text.isWellFormed() ? null : "holds half of a character";
}
