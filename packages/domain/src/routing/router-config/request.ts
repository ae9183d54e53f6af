import type { RouterPeer, UpstreamRouter } from "./network.ts";
import type { SpeakerSelf } from "./speakers.ts";

/** RouterConfigRequest selects a configuration: for a router, a reflector, or a host that offers services. */
export type RouterConfigRequest =
  | { format: "frr" | "bird" | "junos" | "eos" | "ios-xr"; role: "router"; self: UpstreamRouter }
  | { format: "frr"; role: "reflector"; self: RouterPeer }
  | { format: "gobgp" | "exabgp"; role: "speaker"; self: SpeakerSelf };
