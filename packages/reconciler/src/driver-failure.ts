/** DriverFailure is a transient fault of the outside system: a retry may succeed. */
export class DriverFailure extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = "DriverFailure";
  }
}
