import { readEndpoints } from "@fairlead/domain/cloud";
import {
  type PriceFeedName,
  priceFeedNames,
  priceFeeds,
  readPriceMirrors,
  readScheduledFeeds,
} from "@fairlead/domain/cost";
import { type InCluster, inClusterFolder } from "@fairlead/drivers/kubernetes";

export type Env = {
  databaseUrl: string;
  /** The key for all data that is encrypted at rest. */
  secret: string;
  gatewayHost: string;
  gatewayPort: number;
  /** The URL for agents: its host must be in the gateway's certificate. */
  gatewayUrl: URL;
  /** Servers that may be used as cloud API endpoints although they are not public. */
  cloudEndpoints: readonly string[];
  /** The apiserver of the Kubernetes cluster that this process runs in as a pod, if it does. */
  inCluster: InCluster | null;
  metricsHost: string;
  metricsPort: number;
  priceFeeds: PriceFeeds;
};

/** Which feeds are read daily; and for each feed its mirror, if any, and its key. */
export type PriceFeeds = {
  scheduled: readonly PriceFeedName[];
  access: Partial<Record<PriceFeedName, { url: string | null; key: string | null }>>;
};

/** EnvProblem is a message about what to set, for the operator who starts the controller. */
export class EnvProblem extends Error {}

/** readEnv is the only place where the controller reads its environment. */
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
    // By default, metrics are served on loopback only.
    metricsHost: env.FAIRLEAD_CONTROLLER_METRICS_HOST || "127.0.0.1",
    metricsPort: port(env, "FAIRLEAD_CONTROLLER_METRICS_PORT", 7444),
    priceFeeds: feedsOfPrices(env),
  };
}

function databaseUrl(env: NodeJS.ProcessEnv): string {
  const value = env.DATABASE_URL;
  if (!value) throw new EnvProblem("DATABASE_URL is not set: set it to the URL of the PostgreSQL database.");
  // Never printed: it contains a password.
  if (!/^postgres(ql)?:\/\/./.test(value)) throw new EnvProblem("DATABASE_URL must start with postgresql://.");
  return value;
}

function secret(env: NodeJS.ProcessEnv): string {
  const value = env.FAIRLEAD_SECRET ?? "";
  if (value.length < 32)
    throw new EnvProblem(
      `FAIRLEAD_SECRET must have at least 32 characters but has ${value.length}: it is the key for all data encrypted at rest.`,
    );
  return value;
}

function port(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const value = env[name];
  if (!value) return fallback;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= 1 && number <= 65_535) return number;
  throw new EnvProblem(`${name} must be a port between 1 and 65535; it is "${value}".`);
}

function cloudEndpoints(env: NodeJS.ProcessEnv): readonly string[] {
  const read = readEndpoints(env.FAIRLEAD_CLOUD_ENDPOINTS);
  if ("problem" in read) throw new EnvProblem(`FAIRLEAD_CLOUD_ENDPOINTS is invalid: ${read.problem}.`);
  return read;
}

function feedsOfPrices(env: NodeJS.ProcessEnv): PriceFeeds {
  const scheduled = readScheduledFeeds(env.FAIRLEAD_PRICE_FEEDS);
  if ("problem" in scheduled) throw new EnvProblem(`FAIRLEAD_PRICE_FEEDS is invalid: ${scheduled.problem}.`);
  const mirrors = readPriceMirrors(env.FAIRLEAD_PRICE_MIRRORS);
  if ("problem" in mirrors) throw new EnvProblem(`FAIRLEAD_PRICE_MIRRORS is invalid: ${mirrors.problem}.`);
  const access = priceFeedNames.map((feed) => {
    const { keyVariable } = priceFeeds[feed];
    return [feed, { url: mirrors[feed] ?? null, key: (keyVariable && env[keyVariable]) || null }] as const;
  });
  return { scheduled, access: Object.fromEntries(access) };
}

/** Kubernetes sets these for every pod. */
function inCluster({
  KUBERNETES_SERVICE_HOST: host,
  KUBERNETES_SERVICE_PORT: at,
}: NodeJS.ProcessEnv): InCluster | null {
  return host && at ? { host, port: at, folder: inClusterFolder } : null;
}

function url(env: NodeJS.ProcessEnv, name: string, fallback: string, protocol: string): URL {
  const value = env[name] || fallback;
  const parsed = URL.parse(value);
  if (parsed?.protocol === protocol) return parsed;
  throw new EnvProblem(`${name} must be a URL such as ${fallback}; it is "${value}".`);
}
