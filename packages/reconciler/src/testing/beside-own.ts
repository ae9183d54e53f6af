import type { DriverFor, ExposureDriver } from "@fairlead/drivers";

/** besideOwn gives every cluster this driver, but labs: what is in those our own agents carry. */
export function besideOwn(driver: ExposureDriver): DriverFor {
  return ({ kind }) => (kind === "lab" ? null : driver);
}
