import { type ControlPlane, isLocalUrl } from "@fairlead/domain/node";
import { authorize, type ServiceContext } from "../context.ts";

/** getControlPlane returns where machines download the agent, and where agents connect. */
export async function getControlPlane(ctx: ServiceContext): Promise<ControlPlane> {
  authorize(ctx, "node:read");
  const { url, gatewayUrl } = ctx.settings;
  return { url, gatewayUrl, isUrlLocal: isLocalUrl(url), isGatewayLocal: isLocalUrl(gatewayUrl) };
}
