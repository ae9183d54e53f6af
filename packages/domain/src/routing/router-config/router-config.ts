import type { RouterConfigRequest } from "./asked.ts";
import { birdRouter } from "./bird.ts";
import { eosRouter } from "./eos.ts";
import type { RouterConfigFormat } from "./formats.ts";
import { frrReflector, frrRouter } from "./frr.ts";
import { iosXrRouter } from "./ios-xr.ts";
import { junosRouter } from "./junos.ts";
import type { RouterNetwork } from "./network.ts";
import { notesOn } from "./notes.ts";
import { exabgpSpeaker, gobgpSpeaker } from "./speakers.ts";

/** routerConfig is the configuration of a third-party router in the cluster's network, preceded by notes. */
export function routerConfig(network: RouterNetwork, asked: RouterConfigRequest): string {
  const mark = comment[asked.format];
  return [...notesOn(asked, network).map((note) => `${mark} ${note}`), write(network, asked)].join("\n");
}

const comment: Record<RouterConfigFormat, string> = {
  frr: "!",
  bird: "#",
  junos: "#",
  eos: "!",
  "ios-xr": "!",
  gobgp: "#",
  exabgp: "#",
};

function write(network: RouterNetwork, asked: RouterConfigRequest): string {
  switch (asked.format) {
    case "frr":
      return asked.role === "router" ? frrRouter(network, asked.self) : frrReflector(network, asked.self);
    case "bird":
      return birdRouter(network, asked.self);
    case "junos":
      return junosRouter(network, asked.self);
    case "eos":
      return eosRouter(network, asked.self);
    case "ios-xr":
      return iosXrRouter(network, asked.self);
    case "gobgp":
      return gobgpSpeaker(network, asked.self);
    case "exabgp":
      return exabgpSpeaker(network, asked.self);
    default:
      throw new Error(`there is no format ${(asked satisfies never as { format: string }).format}`);
  }
}
