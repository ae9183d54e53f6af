import type { Evidence } from "@fairlead/domain/choice";

/** unmeasuredWord describes evidence without a time: a setting is known without a measurement. */
export function unmeasuredWord(result: Evidence["result"]): "Setting" | "Not measured" {
  return result === "unknown" ? "Not measured" : "Setting";
}
