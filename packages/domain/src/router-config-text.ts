import { z } from "zod";
import { ipAddress } from "./address.ts";
import { objectName } from "./object-name.ts";
import { routerConfigFormats } from "./router-config/router-config.ts";

export const askRouterConfig = z.strictObject({
  format: z.enum(routerConfigFormats),
  router: objectName.optional().describe("One of the cluster's routing; the first by default."),
  address: ipAddress.optional().describe("Of the host that offers services itself, for gobgp and exabgp."),
  address6: z.ipv6().optional().describe("Its IPv6 address, where it offers services of IPv6 too."),
});
export type AskRouterConfig = z.infer<typeof askRouterConfig>;

export const routerConfigText = z
  .object({ format: z.enum(routerConfigFormats), text: z.string().describe("Without secrets: a gap stands for each.") })
  .meta({ id: "RouterConfigText" });
export type RouterConfigText = z.infer<typeof routerConfigText>;
