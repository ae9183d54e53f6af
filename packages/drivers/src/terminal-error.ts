/** TerminalError says that trying again is no use until somebody changes something. Its message is for people. */
export class TerminalError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "TerminalError";
  }
}
