import { DomainError } from "../../errors.ts";
import { readPrice } from "./money.ts";
import type { PricePoint } from "./price-point.ts";
import { confidences, priceUnits } from "./price-words.ts";
import { providerNames } from "./providers.ts";

const columns = [
  "provider",
  "region",
  "sku",
  "unit",
  "fromUnits",
  "price",
  "currency",
  "asOf",
  "source",
  "confidence",
  "note",
] as const;
type Column = (typeof columns)[number];
type Row = Record<Column, string>;

/** readPrices parses prices in CSV, one per row. Errors have the line and column. */
export function readPrices(text: string): PricePoint[] {
  const [head = "", ...lines] = text.split(/\r?\n/);
  if (head !== columns.join(",")) throw wrong(1, "provider", `the first line has to be ${columns.join(",")}`);
  const seen = new Map<string, number>();
  return lines.flatMap((line, index) => {
    if (line === "") return [];
    const number = index + 2;
    const point = readRow(splitLine(line, number), number);
    const key = [point.provider, point.region, point.sku, point.fromUnits, point.currency, point.asOf].join(" ");
    const before = seen.get(key);
    if (before !== undefined) throw wrong(number, "sku", `line ${before} has a price of ${key} already`);
    seen.set(key, number);
    return [point];
  });
}

function readRow(row: Row, line: number): PricePoint {
  const price = readPrice(row.price);
  if (!price)
    throw wrong(line, "price", `"${row.price}" is not a price: enter one such as 0.008, and 0 for what is free`);
  const fromUnits = Number(row.fromUnits);
  if (!/^\d{1,12}$/.test(row.fromUnits)) throw wrong(line, "fromUnits", `"${row.fromUnits}" is not a whole number`);
  const confidence = oneOf(row, "confidence", confidences, line);
  const asOf = readDay(row.asOf, line);
  if (asOf === null && confidence !== "uncertain") throw wrong(line, "asOf", "a price without a day must be uncertain");
  if (!/^https:\/\/\S+$/.test(row.source) && !(row.source === "memory" && confidence === "uncertain"))
    throw wrong(line, "source", `"${row.source}" is neither an https address nor, for an uncertain price, memory`);
  if (!/^[A-Z]{3}$/.test(row.currency))
    throw wrong(line, "currency", `"${row.currency}" is not a currency such as USD`);
  for (const column of ["region", "sku"] as const) if (!row[column]) throw wrong(line, column, "it is empty");
  return {
    provider: oneOf(row, "provider", providerNames, line),
    region: row.region,
    sku: row.sku,
    unit: oneOf(row, "unit", priceUnits, line),
    fromUnits,
    ...price,
    currency: row.currency,
    asOf,
    source: row.source,
    confidence,
  };
}

function readDay(text: string, line: number): string | null {
  if (text === "") return null;
  const at = Date.parse(`${text}T00:00:00Z`);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
  if (!isDay) throw wrong(line, "asOf", `"${text}" is not a day such as 2026-09-20`);
  return text;
}

function oneOf<Word extends string>(row: Row, column: Column, words: readonly Word[], line: number): Word {
  const found = words.find((word) => word === row[column]);
  if (found === undefined) throw wrong(line, column, `"${row[column]}" is none of ${words.join(", ")}`);
  return found;
}

/** splitLine supports quoted cells with commas and doubled quotes. */
function splitLine(line: string, number: number): Row {
  const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"(?=,|$)|([^",]*))/g)].map(
    ([, quoted, plain = ""]) => quoted?.replaceAll('""', '"') ?? plain,
  );
  const column = columns[Math.min(cells.length, columns.length - 1)] ?? "note";
  if (cells.length !== columns.length)
    throw wrong(number, column, `there are ${cells.length} columns, not ${columns.length}`);
  return Object.fromEntries(columns.map((name, i) => [name, cells[i] ?? ""])) as Row;
}

function wrong(line: number, column: Column, message: string): DomainError {
  const whole = `Line ${line}, column ${column}: ${message}.`;
  return new DomainError("invalid", whole, { fields: [{ path: [line, column], message }] });
}
