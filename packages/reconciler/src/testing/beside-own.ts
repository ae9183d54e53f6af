import type { ExposureDriver } from "@fairlead/drivers";
import { exposureReconciler, type Reconciler, trackPresence } from "../index.ts";
import { testKeysBox } from "./test-keys-box.ts";

/**
 * besideOwn uses this driver for all exposures but those in labs, which our own agents carry, with short backend times.
 */
export function besideOwn(driver: ExposureDriver): Reconciler {
  const times = { fillMs: 300, drainMs: 300 };
  return exposureReconciler(({ kind }) => (kind === "lab" ? null : driver), {
    presence: trackPresence(),
    times,
    keysBox: testKeysBox,
  });
}
