import { narrowestMs, type TimeRange } from "./time-range.ts";

/** What a person typed into the two date fields, as a range or as what is wrong with it. */
export function parseCustomRange(
  from: string,
  to: string,
): { range: Extract<TimeRange, { kind: "absolute" }> } | { field: "from" | "to"; problem: string } {
  const start = new Date(from);
  const end = new Date(to);
  if (Number.isNaN(start.getTime())) return { field: "from", problem: "Give the day and time it starts." };
  if (Number.isNaN(end.getTime())) return { field: "to", problem: "Give the day and time it ends." };
  if (end.getTime() - start.getTime() < narrowestMs)
    return { field: "to", problem: "The end must be later than the start." };
  return { range: { kind: "absolute", from: start, to: end } };
}

/** toLocalInput writes an instant as a datetime-local field wants it: in the reader's zone, without one. */
export function toLocalInput(date: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
