import type { EnrollmentToken } from "@fairlead/domain/cluster";
import type { ServiceSettings } from "../context.ts";

type Allowed = Pick<EnrollmentToken, "roles" | "nodeName">;

/**
 * enrollmentCommand runs the first role that the token allows: enrolment rejects any other. Roles are the agent's
 * subcommands, and all of them have these flags. The token is passed in the environment: an argument would show in the
 * process list.
 */
export function enrollmentCommand(token: string, allowed: Allowed, { gatewayUrl }: ServiceSettings): string {
  return `FAIRLEAD_TOKEN=${token} fairlead-agent ${roleOf(allowed)} --control-plane ${gatewayUrl}${nameOf(allowed)}`;
}

/** installCommand downloads the installer, which knows the gateway. It reads the token from its environment too. */
export function installCommand(token: string, allowed: Allowed, { url }: ServiceSettings): string {
  const download = `curl -fsSL ${url}/download/agent/install.sh`;
  return `${download} | FAIRLEAD_TOKEN=${token} sh -s -- ${roleOf(allowed)}${nameOf(allowed)}`;
}

function roleOf({ roles: [role = "node"] }: Allowed): string {
  return role;
}

function nameOf({ nodeName }: Allowed): string {
  return nodeName ? ` --node-name ${nodeName}` : "";
}
