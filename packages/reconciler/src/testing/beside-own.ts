import type { ExposureDriver } from "@fairlead/drivers";
import { exposureReconciler, type Reconciler, trackPresence } from "../index.ts";

/** besideOwn has exposures made by this driver, but those in labs carried by our own agents, whose backends come and go fast. */
export function besideOwn(driver: ExposureDriver): Reconciler {
  const times = { fillMs: 300, drainMs: 300 };
  return exposureReconciler(({ kind }) => (kind === "lab" ? null : driver), { presence: trackPresence(), times });
}
