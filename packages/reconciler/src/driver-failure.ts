/** DriverFailure is weather in the outside system: trying again may help. */
export class DriverFailure extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = "DriverFailure";
  }
}
