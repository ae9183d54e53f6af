import { birdRouter } from "./bird.ts";
import { frrReflector, frrRouter } from "./frr.ts";
import type { RouterNetwork } from "./network.ts";
import { exabgpSpeaker, gobgpSpeaker, type SpeakerSelf } from "./speakers.ts";
import { eosRouter, iosXrRouter, junosRouter } from "./vendors.ts";

export { frrReflector, type RouterNetwork };

/** Of a router that spreads flows over the balancers. */
export const routerFormats = ["frr", "bird", "junos", "eos", "ios-xr"] as const;
/** Of a host that offers services itself. */
export const speakerFormats = ["gobgp", "exabgp"] as const;
export const routerConfigFormats = [...routerFormats, ...speakerFormats] as const;

export type RouterConfigFormat = (typeof routerConfigFormats)[number];

/** routerConfig is the text that makes somebody else's router a part of the cluster's network. */
export function routerConfig(format: RouterConfigFormat, network: RouterNetwork, speaker: SpeakerSelf): string {
  switch (format) {
    case "frr":
      return frrRouter(network);
    case "bird":
      return birdRouter(network);
    case "junos":
      return junosRouter(network);
    case "eos":
      return eosRouter(network);
    case "ios-xr":
      return iosXrRouter(network);
    case "gobgp":
      return gobgpSpeaker(network, speaker);
    case "exabgp":
      return exabgpSpeaker(network, speaker);
    default:
      throw new Error(`there is no format ${format satisfies never}`);
  }
}
