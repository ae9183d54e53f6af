import { csvLine } from "@fairlead/domain";

type Cell = string | number;

/**
 * rowsCsv writes a line for each row, with the fields and names of the API. A field of an object is a column of its own,
 * such as labels.team. A column that some rows don't have is empty there.
 */
export function rowsCsv(rows: readonly object[]): string {
  const flat = rows.map((row) => new Map(cellsOf("", row)));
  const names = [...new Set(flat.flatMap((row) => [...row.keys()]))];
  return [names, ...flat.map((row) => names.map((name) => row.get(name) ?? ""))].map(csvLine).join("");
}

function cellsOf(prefix: string, object: object): [string, Cell][] {
  return Object.entries(object).flatMap(([name, value]): [string, Cell][] => {
    const path = `${prefix}${name}`;
    const isNested = typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
    return isNested ? cellsOf(`${path}.`, value) : [[path, cellOf(value)]];
  });
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "string") return value;
  if (value instanceof Date) return value.toISOString();
  if (!Array.isArray(value)) return String(value);
  return value.every((each) => typeof each !== "object") ? value.join("; ") : JSON.stringify(value);
}
