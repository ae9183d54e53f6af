import type { MapErrorKind } from "../errors.ts";

/** What the command ends with. An init container's restarts can tell weather from what somebody has to mend. */
export const exitCodes = {
  done: 0,
  broken: 1,
  usage: 2,
  refused: 3,
  timedOut: 4,
  notWritten: 5,
  afterFailed: 6,
} as const;

/** Exit ends the command with a sentence. */
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
