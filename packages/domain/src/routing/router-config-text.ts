import { z } from "zod";
import { ipAddress } from "../address/address.ts";
import { objectName } from "../object-name.ts";
import { routerConfigFormats, routerConfigRoles } from "./router-config/formats.ts";

export const askRouterConfig = z.strictObject({
  format: z.enum(routerConfigFormats),
  role: z
    .enum(routerConfigRoles)
    .optional()
    .describe("frr: router (by default) or reflector; gobgp and exabgp: speaker; the others: router."),
  router: objectName.optional().describe("Of role router: one of the cluster's routing; the first by default."),
  reflector: objectName.optional().describe("Of role reflector: one of the cluster's routing; the first by default."),
  address: ipAddress.optional().describe("Of role speaker: of the host that offers services itself."),
  address6: z.ipv6().optional().describe("Its IPv6 address, where it offers services of IPv6 too."),
});
export type AskRouterConfig = z.infer<typeof askRouterConfig>;

export const routerConfigText = z
  .object({
    format: z.enum(routerConfigFormats),
    role: z.enum(routerConfigRoles),
    text: z.string().describe("Without secrets: a gap stands for each."),
    notes: z.array(z.string()).describe("What to know before it is loaded; the text begins with the same."),
  })
  .meta({ id: "RouterConfigText" });
export type RouterConfigText = z.infer<typeof routerConfigText>;
