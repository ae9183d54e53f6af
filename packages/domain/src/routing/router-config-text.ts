import { z } from "zod";
import { ipAddress } from "../address/address.ts";
import { objectName } from "../object-name.ts";
import { routerConfigFormats, routerConfigRoles } from "./router-config/formats.ts";

export const routerConfigInput = z.strictObject({
  format: z.enum(routerConfigFormats),
  role: z
    .enum(routerConfigRoles)
    .optional()
    .describe("frr: router (by default) or reflector; gobgp and exabgp: speaker; the others: router."),
  router: objectName.optional().describe("For the role router: a router of the cluster's routing. Default: the first."),
  reflector: objectName
    .optional()
    .describe("For the role reflector: a reflector of the cluster's routing. Default: the first."),
  address: ipAddress.optional().describe("For the role speaker: the address of the host that offers services."),
  address6: z
    .ipv6()
    .optional()
    .describe("For the role speaker: the IPv6 address of the host, if it offers IPv6 services too."),
});
export type RouterConfigInput = z.infer<typeof routerConfigInput>;

export const routerConfigText = z
  .object({
    format: z.enum(routerConfigFormats),
    role: z.enum(routerConfigRoles),
    text: z.string().describe("The configuration, with a placeholder for each secret."),
    notes: z.array(z.string()).describe("Notes to read before loading it. The text starts with the same notes."),
  })
  .meta({ id: "RouterConfigText" });
export type RouterConfigText = z.infer<typeof routerConfigText>;
