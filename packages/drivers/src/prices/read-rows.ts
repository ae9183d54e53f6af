import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CsvError, parse } from "csv-parse";
import { FeedRefused } from "./feed-refused.ts";

/** No row of a list is nearly as long. Without a bound, a quote that never ends would have all of it kept. */
const mostRowBytes = 256 * 1024;

export type RowsOptions = {
  /** Lines that hold this are passed over unread: of a list that is mostly something else, reading takes a tenth of the time. */
  passOver: string;
};

/** readRows reads CSV as it comes. Rows may differ in length: what describes a list stands above it. */
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
      throw new FeedRefused("truncated", `What ${host} sends ends in the middle.`, { cause: error });
    throw new FeedRefused("malformed", `What ${host} sends is no CSV.`, { cause: error });
  }
}

/** sift passes on lines as they are, but for those to be passed over. */
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
      // The parser says what is wrong with a line that is too long.
      kept.push(rest);
      rest = Buffer.alloc(0);
    }
    if (kept.length > 0) yield Buffer.concat(kept);
  }
  if (rest.length > 0) yield rest;
}
