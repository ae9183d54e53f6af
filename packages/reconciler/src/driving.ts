import { TerminalError } from "@fairlead/drivers";
import { DriverFailure } from "./driver-failure.ts";

/** driving marks failures of the cluster or cloud that a driver calls, to distinguish them from our own. */
export async function driving<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TerminalError || error instanceof DriverFailure) throw error;
    throw new DriverFailure(error);
  }
}
