import type { MapErrorKind } from "../errors.ts";

/** Exit codes. They let an init container distinguish temporary failures from those that need an operator. */
export const exitCodes = {
  done: 0,
  broken: 1,
  usage: 2,
  refused: 3,
  timedOut: 4,
  notWritten: 5,
  afterFailed: 6,
} as const;

/** Exit is an error that ends the command with an exit code and a message. */
export class Exit extends Error {
  readonly code: number;

  constructor(code: keyof typeof exitCodes, message: string) {
    super(message);
    this.name = "Exit";
    this.code = exitCodes[code];
  }
}

export function exitFor(kind: MapErrorKind): keyof typeof exitCodes {
  if (kind === "refused" || kind === "not-found" || kind === "redirected") return "refused";
  return kind === "invalid-option" || kind === "unknown-address" ? "usage" : "timedOut";
}
