import { z } from "zod";

/** The addresses of the control plane, as machines that are to become nodes use them. */
export const controlPlane = z
  .object({
    url: z.string().describe("The URL of the dashboard, from which machines download the agent."),
    gatewayUrl: z.string().describe("The URL that agents connect to."),
    isUrlLocal: z.boolean().describe("Only the machine of the control plane itself can reach url."),
    isGatewayLocal: z.boolean().describe("Only the machine of the control plane itself can reach gatewayUrl."),
  })
  .meta({ id: "ControlPlane" });
export type ControlPlane = z.infer<typeof controlPlane>;

const localAddress = /^(127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|\[::ffff:(7f[0-9a-f]{2}:[0-9a-f]+|0:0)\])$/;

/** isLocalUrl returns whether a URL leads each machine to itself: a loopback address or name, or none at all (0.0.0.0). */
export function isLocalUrl(url: string): boolean {
  const host = URL.parse(url)?.hostname.replace(/\.$/, "") ?? "";
  return host === "localhost" || host.endsWith(".localhost") || localAddress.test(host);
}
