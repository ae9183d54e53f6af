import type { Instance } from "./instance.ts";

/**
 * hideInstanceAddresses omits what a reader without map:read may not see of an instance. Its node is part of that: with the
 * addressing node-port, the node's address is the external one.
 */
export function hideInstanceAddresses(instance: Instance): Instance {
  return { ...instance, nodeName: "", address: null, addresses: [] };
}
