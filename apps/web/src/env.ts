export type Env = {
  databaseUrl: string;
  /** The key of everything that is sealed at rest, and of the session cookies. */
  secret: string;
  /** The public address of the dashboard, without a slash at the end. */
  url: string;
  /** What agents are told to dial. */
  gatewayUrl: string;
  /** Servers that a cloud's API may be asked at though they are not on the Internet, commas between. */
  cloudEndpoints: string;
  /** Whether the cluster around the controller may be attached as its pod. */
  inCluster: boolean;
  /** Whether strangers are kept out of the cost calculator. */
  isCalculatorClosed: boolean;
  /** Proxies whose word on where a request comes from is taken, commas between. */
  trustedProxies: string;
};

/** Whether this is `next dev`. Known at build time, unlike the rest. */
export const isDevelopment = process.env.NODE_ENV === "development";

/** Where `next build` puts what it makes. The launcher gives each build a folder of its own. */
export const buildFolder = process.env.FAIRLEAD_WEB_BUILD || ".next";

let read: Env | undefined;

/** env is the web's only look at its environment. It looks late, because a build has none. */
export function env(): Env {
  read ??= {
    databaseUrl: required("DATABASE_URL"),
    secret: required("FAIRLEAD_SECRET"),
    url: required("FAIRLEAD_URL").replace(/\/+$/, ""),
    gatewayUrl: process.env.FAIRLEAD_GATEWAY_URL || "https://127.0.0.1:7443",
    cloudEndpoints: process.env.FAIRLEAD_CLOUD_ENDPOINTS ?? "",
    inCluster: process.env.FAIRLEAD_IN_CLUSTER === "on",
    isCalculatorClosed: closedTo(process.env.FAIRLEAD_CALCULATOR),
    trustedProxies: process.env.FAIRLEAD_TRUSTED_PROXIES ?? "",
  };
  return read;
}

/** closedTo leaves the calculator open to strangers only where nothing is said. */
function closedTo(who: string | undefined): boolean {
  if (who && who !== "members")
    throw new Error("FAIRLEAD_CALCULATOR is members, or not set: then strangers may reckon costs too.");
  return who === "members";
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; npm start sets it, a deployment has to.`);
  return value;
}
