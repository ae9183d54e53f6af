import { narrowestMs, type TimeRange } from "./time-range.ts";

/** The input of the two date fields, as a range or an error. */
export function parseCustomRange(
  from: string,
  to: string,
): { range: Extract<TimeRange, { kind: "absolute" }> } | { field: "from" | "to"; problem: string } {
  const start = new Date(from);
  const end = new Date(to);
  if (Number.isNaN(start.getTime())) return { field: "from", problem: "Enter the start date and time." };
  if (Number.isNaN(end.getTime())) return { field: "to", problem: "Enter the end date and time." };
  if (end.getTime() - start.getTime() < narrowestMs)
    return { field: "to", problem: "The end must be after the start." };
  return { range: { kind: "absolute", from: start, to: end } };
}

/** toLocalInput formats an instant for a datetime-local field, which uses the user's time zone. */
export function toLocalInput(date: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
