/** ResponseTooLong means that a server sent more than its reader accepts. */
export class ResponseTooLong extends Error {
  readonly maxBytes: number;

  constructor(what: string, maxBytes: number) {
    super(`the ${what} is longer than ${formatBytes(maxBytes)}`);
    this.name = "ResponseTooLong";
    this.maxBytes = maxBytes;
  }
}

/** EndlessList means that a list has too many pages, or a page that links back to an earlier one. */
export class EndlessList extends Error {
  constructor(what: string, why: string) {
    super(`${what} does not end: ${why}`);
    this.name = "EndlessList";
  }
}

export function formatBytes(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.round(bytes / 1024 / 1024)} MiB` : `${bytes} bytes`;
}
