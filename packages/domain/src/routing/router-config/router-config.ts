import { birdRouter } from "./bird.ts";
import { eosRouter } from "./eos.ts";
import type { RouterConfigFormat } from "./formats.ts";
import { frrReflector, frrRouter } from "./frr.ts";
import { iosXrRouter } from "./ios-xr.ts";
import { junosRouter } from "./junos.ts";
import type { RouterNetwork } from "./network.ts";
import { notesOn } from "./notes.ts";
import type { RouterConfigRequest } from "./request.ts";
import { exabgpSpeaker, gobgpSpeaker } from "./speakers.ts";

/** routerConfig is the configuration of a third-party router in the cluster's network, preceded by notes. */
export function routerConfig(network: RouterNetwork, request: RouterConfigRequest): string {
  const mark = comment[request.format];
  return [...notesOn(request, network).map((note) => `${mark} ${note}`), write(network, request)].join("\n");
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

function write(network: RouterNetwork, request: RouterConfigRequest): string {
  switch (request.format) {
    case "frr":
      return request.role === "router" ? frrRouter(network, request.self) : frrReflector(network, request.self);
    case "bird":
      return birdRouter(network, request.self);
    case "junos":
      return junosRouter(network, request.self);
    case "eos":
      return eosRouter(network, request.self);
    case "ios-xr":
      return iosXrRouter(network, request.self);
    case "gobgp":
      return gobgpSpeaker(network, request.self);
    case "exabgp":
      return exabgpSpeaker(network, request.self);
    default:
      throw new Error(`there is no format ${(request satisfies never as { format: string }).format}`);
  }
}
