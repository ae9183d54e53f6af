import type { Evidence } from "@fairlead/domain/choice";

/** unmeasuredWord describes evidence without a time: a setting is known without a measurement. */
export function unmeasuredWord(value: Evidence["value"]): "Setting" | "Not measured" {
  return value === null ? "Not measured" : "Setting";
}
