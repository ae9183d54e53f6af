import { type PriceFeedName, priceFeeds, readEndpoints, readPriceMirrors, readScheduledFeeds } from "@fairlead/domain";
import { type InCluster, inClusterFolder } from "@fairlead/drivers/kubernetes";

export type Env = {
  databaseUrl: string;
  /** The key of everything that is encrypted at rest. */
  secret: string;
  gatewayHost: string;
  gatewayPort: number;
  /** What agents are told to dial: its name must be on the gateway's certificate. */
  gatewayUrl: URL;
  /** Servers that a cloud's API may be asked at though they are not on the Internet. */
  cloudEndpoints: readonly string[];
  /** The apiserver of the Kubernetes cluster that this process runs in as a pod, if it does. */
  inCluster: InCluster | null;
  metricsHost: string;
  metricsPort: number;
  priceFeeds: PriceFeeds;
};

/** Which feeds are read every day; and, of any feed, where it is if not at its provider, and what lets us in. */
export type PriceFeeds = {
  scheduled: readonly PriceFeedName[];
  access: Partial<Record<PriceFeedName, { url: string | null; key: string | null }>>;
};

/** EnvProblem is one sentence on what to set, for the person who starts the controller. */
export class EnvProblem extends Error {}

/** readEnv is the controller's only look at its environment. */
export function readEnv(env: NodeJS.ProcessEnv = process.env): Env {
  const gatewayHost = env.FAIRLEAD_GATEWAY_HOST || "127.0.0.1";
  const gatewayPort = port(env, "FAIRLEAD_GATEWAY_PORT", 7443);
  return {
    databaseUrl: databaseUrl(env),
    secret: secret(env),
    gatewayHost,
    gatewayPort,
    gatewayUrl: url(env, "FAIRLEAD_GATEWAY_URL", `https://127.0.0.1:${gatewayPort}`, "https:"),
    cloudEndpoints: cloudEndpoints(env),
    inCluster: inCluster(env),
    // Figures are for the machine itself unless somebody says otherwise.
    metricsHost: env.FAIRLEAD_CONTROLLER_METRICS_HOST || "127.0.0.1",
    metricsPort: port(env, "FAIRLEAD_CONTROLLER_METRICS_PORT", 7444),
    priceFeeds: feedsOfPrices(env),
  };
}

function databaseUrl(env: NodeJS.ProcessEnv): string {
  const value = env.DATABASE_URL;
  if (!value) throw new EnvProblem("DATABASE_URL is not set: it names the PostgreSQL database to work on.");
  // Never echoed: it holds a password.
  if (!/^postgres(ql)?:\/\/./.test(value)) throw new EnvProblem("DATABASE_URL must start with postgresql://.");
  return value;
}

function secret(env: NodeJS.ProcessEnv): string {
  const value = env.FAIRLEAD_SECRET ?? "";
  if (value.length < 32)
    throw new EnvProblem(
      `FAIRLEAD_SECRET must have 32 characters or more and has ${value.length}: it is the key of everything encrypted at rest.`,
    );
  return value;
}

function port(env: NodeJS.ProcessEnv, name: string, otherwise: number): number {
  const value = env[name];
  if (!value) return otherwise;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= 1 && number <= 65_535) return number;
  throw new EnvProblem(`${name} must be a port between 1 and 65535; it is "${value}".`);
}

function cloudEndpoints(env: NodeJS.ProcessEnv): readonly string[] {
  const read = readEndpoints(env.FAIRLEAD_CLOUD_ENDPOINTS);
  if ("problem" in read) throw new EnvProblem(`FAIRLEAD_CLOUD_ENDPOINTS lists servers: ${read.problem}.`);
  return read;
}

function feedsOfPrices(env: NodeJS.ProcessEnv): PriceFeeds {
  const scheduled = readScheduledFeeds(env.FAIRLEAD_PRICE_FEEDS);
  if ("problem" in scheduled) throw new EnvProblem(`FAIRLEAD_PRICE_FEEDS lists feeds of prices: ${scheduled.problem}.`);
  const mirrors = readPriceMirrors(env.FAIRLEAD_PRICE_MIRRORS);
  if ("problem" in mirrors)
    throw new EnvProblem(`FAIRLEAD_PRICE_MIRRORS lists where feeds are read: ${mirrors.problem}.`);
  const keys: Partial<Record<PriceFeedName, string | undefined>> = {
    gcp: env.FAIRLEAD_GCP_PRICE_KEY,
    hetzner: env.FAIRLEAD_HETZNER_PRICE_TOKEN,
  };
  const access = priceFeeds.map((feed) => [feed, { url: mirrors[feed] ?? null, key: keys[feed] || null }] as const);
  return { scheduled, access: Object.fromEntries(access) };
}

/** Kubernetes sets these for every pod. */
function inCluster({
  KUBERNETES_SERVICE_HOST: host,
  KUBERNETES_SERVICE_PORT: at,
}: NodeJS.ProcessEnv): InCluster | null {
  return host && at ? { host, port: at, folder: inClusterFolder } : null;
}

function url(env: NodeJS.ProcessEnv, name: string, otherwise: string, protocol: string): URL {
  const value = env[name] || otherwise;
  const parsed = URL.parse(value);
  if (parsed?.protocol === protocol) return parsed;
  throw new EnvProblem(`${name} must be an address such as ${otherwise}; it is "${value}".`);
}
