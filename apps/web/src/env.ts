import { readEndpoints } from "@fairlead/domain/cloud";

export type Env = {
  databaseUrl: string;
  /** The key that encrypts secrets at rest and signs session cookies. */
  secret: string;
  /** The public URL of the dashboard, without a trailing slash. */
  url: string;
  /** The address that agents connect to. */
  gatewayUrl: string;
  /** Servers that a cloud's API may use although they are not on the internet, comma-separated. */
  cloudEndpoints: string;
  /** Servers that identity providers may use although they are not on the internet. */
  oidcEndpoints: readonly string[];
  /** Whether the cluster around the controller may be attached as its pod. */
  inCluster: boolean;
  /** Whether the cost calculator is for members only. */
  isCalculatorClosed: boolean;
  /** Proxies whose client address headers are trusted, comma-separated. */
  trustedProxies: string;
  /** Host names besides that of the public URL, comma-separated. */
  allowedHosts: string;
  /** The program that builds the agent for another platform; null in images, which have it for each. */
  agentBuilder: string | null;
};

/** Whether this is `next dev`. Known at build time, unlike the rest. */
export const isDevelopment = process.env.NODE_ENV === "development";

/** The output folder of `next build`. The launcher gives each build its own. */
export const buildFolder = process.env.FAIRLEAD_WEB_BUILD || ".next";

let read: Env | undefined;

/** env is the only place that reads the environment. It reads lazily, because a build has none. */
export function env(): Env {
  read ??= {
    databaseUrl: required("DATABASE_URL"),
    secret: required("FAIRLEAD_SECRET"),
    url: required("FAIRLEAD_URL").replace(/\/+$/, ""),
    gatewayUrl: process.env.FAIRLEAD_GATEWAY_URL || "https://127.0.0.1:7443",
    cloudEndpoints: process.env.FAIRLEAD_CLOUD_ENDPOINTS ?? "",
    oidcEndpoints: endpointsOf(process.env.FAIRLEAD_OIDC_ENDPOINTS),
    inCluster: process.env.FAIRLEAD_IN_CLUSTER === "on",
    isCalculatorClosed: closedTo(process.env.FAIRLEAD_CALCULATOR),
    trustedProxies: process.env.FAIRLEAD_TRUSTED_PROXIES ?? "",
    allowedHosts: process.env.FAIRLEAD_ALLOWED_HOSTS ?? "",
    agentBuilder: process.env.FAIRLEAD_AGENT_BUILDER || null,
  };
  return read;
}

/** closedTo makes the calculator public only if the variable is not set. */
function closedTo(who: string | undefined): boolean {
  if (who && who !== "members")
    throw new Error("FAIRLEAD_CALCULATOR must be members, or not set for a public calculator.");
  return who === "members";
}

/** Without a valid list, only servers on the internet are allowed. The launcher refuses to start with an invalid one. */
function endpointsOf(text: string | undefined): readonly string[] {
  const read = readEndpoints(text);
  return "problem" in read ? [] : read;
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set. npm start sets it; a deployment must set it.`);
  return value;
}
