import { hideAddresses } from "../address/hide-addresses.ts";
import type { Exposure } from "./exposure.ts";

/** hideExposureAddresses omits what a reader without map:read may not see of an exposure. */
export function hideExposureAddresses<Of extends Exposure>(exposure: Of): Of {
  return {
    ...exposure,
    addresses: [],
    message: hideAddresses(exposure.message),
    conditions: exposure.conditions.map((each) => ({ ...each, message: hideAddresses(each.message) })),
  };
}
