import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CsvError, parse } from "csv-parse";
import { FeedRefused } from "./feed-refused.ts";

/** Far above the length of any row. Without a limit, a quote that is never closed would keep the whole list in memory. */
const mostRowBytes = 256 * 1024;

export type RowsOptions = {
  /** Lines that contain this are skipped unparsed, which is ten times as fast for a list of mostly other rows. */
  passOver: string;
};

/** readRows parses CSV while it arrives. Rows may differ in length, because a list starts with metadata. */
export async function readRows(
  host: string,
  pieces: AsyncIterable<Buffer>,
  take: (row: readonly string[]) => void,
  { passOver }: RowsOptions,
): Promise<void> {
  const parser = parse({ relax_column_count: true, skip_empty_lines: true, max_record_size: mostRowBytes });
  try {
    await pipeline(Readable.from(sift(pieces, passOver)), parser, async (rows: AsyncIterable<string[]>) => {
      for await (const row of rows) take(row);
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === "CSV_QUOTE_NOT_CLOSED")
      throw new FeedRefused("truncated", `The response of ${host} is incomplete.`, { cause: error });
    throw new FeedRefused("malformed", `The response of ${host} is not CSV.`, { cause: error });
  }
}

/** sift yields the lines unchanged, except those to skip. */
async function* sift(pieces: AsyncIterable<Buffer>, passOver: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    const text = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    const kept: Buffer[] = [];
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      const line = text.subarray(from, end + 1);
      if (!line.includes(passOver)) kept.push(line);
      from = end + 1;
    }
    rest = text.subarray(from);
    if (rest.length > mostRowBytes) {
      // The parser reports a line that is too long.
      kept.push(rest);
      rest = Buffer.alloc(0);
    }
    if (kept.length > 0) yield Buffer.concat(kept);
  }
  if (rest.length > 0) yield rest;
}
