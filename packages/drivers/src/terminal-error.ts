/** TerminalError means that a retry is useless until an operator changes something. Its message is for users. */
export class TerminalError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "TerminalError";
  }
}
