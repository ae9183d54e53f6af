import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { firstOwner, readHosts, readProxies } from "@fairlead/domain/access";
import { readEndpoints } from "@fairlead/domain/cloud";
import { readPriceMirrors, readScheduledFeeds } from "@fairlead/domain/cost";
import { Refusal } from "./refusal.ts";
import type { Environment } from "./variables.ts";

export const root = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");

export type Settings = {
  host: string;
  port: number;
  gatewayPort: number | null;
  metricsPort: number | null;
  /** The URLs for browsers and agents, if they differ from host and port: behind a proxy, or with another name. */
  url: string | null;
  gatewayUrl: string | null;
  dataFolder: string;
  databaseUrl: string | null;
  secret: string | null;
  admin: { email: string; password: string } | null;
  /** Whether the demo lab is wanted; null if not set. */
  lab: boolean | null;
  isRoot: boolean;
};

/** readSettings is the only place where the launcher reads the environment. */
export function readSettings(env: Environment = process.env): Settings {
  const isRoot = process.getuid?.() === 0;
  // Validate settings of the other programs here, before the build.
  const endpoints = readEndpoints(env.FAIRLEAD_CLOUD_ENDPOINTS);
  if ("problem" in endpoints) throw new Refusal(`FAIRLEAD_CLOUD_ENDPOINTS is invalid: ${endpoints.problem}.`);
  const issuers = readEndpoints(env.FAIRLEAD_OIDC_ENDPOINTS);
  if ("problem" in issuers) throw new Refusal(`FAIRLEAD_OIDC_ENDPOINTS is invalid: ${issuers.problem}.`);
  const proxies = readProxies(env.FAIRLEAD_TRUSTED_PROXIES);
  if ("problem" in proxies) throw new Refusal(`FAIRLEAD_TRUSTED_PROXIES is invalid: ${proxies.problem}.`);
  const hosts = readHosts(env.FAIRLEAD_ALLOWED_HOSTS);
  if ("problem" in hosts) throw new Refusal(`FAIRLEAD_ALLOWED_HOSTS is invalid: ${hosts.problem}.`);
  const feeds = readScheduledFeeds(env.FAIRLEAD_PRICE_FEEDS);
  if ("problem" in feeds) throw new Refusal(`FAIRLEAD_PRICE_FEEDS is invalid: ${feeds.problem}.`);
  const mirrors = readPriceMirrors(env.FAIRLEAD_PRICE_MIRRORS);
  if ("problem" in mirrors) throw new Refusal(`FAIRLEAD_PRICE_MIRRORS is invalid: ${mirrors.problem}.`);
  if (env.FAIRLEAD_CALCULATOR && env.FAIRLEAD_CALCULATOR !== "members")
    throw new Refusal(
      "FAIRLEAD_CALCULATOR must be members (sign-in required) or unset (the cost calculator is public).",
    );
  if (env.FAIRLEAD_SECRET && env.FAIRLEAD_SECRET.length < 32)
    throw new Refusal(
      "FAIRLEAD_SECRET is too short. Use at least 32 random characters, for example from: openssl rand -hex 32",
    );
  return {
    host: env.HOST || "127.0.0.1",
    port: readPort("PORT", env.PORT) ?? 3000,
    gatewayPort: readPort("FAIRLEAD_GATEWAY_PORT", env.FAIRLEAD_GATEWAY_PORT),
    metricsPort: readPort("FAIRLEAD_CONTROLLER_METRICS_PORT", env.FAIRLEAD_CONTROLLER_METRICS_PORT),
    url: readUrl("FAIRLEAD_URL", env.FAIRLEAD_URL, ["https:", "http:"]),
    gatewayUrl: readUrl("FAIRLEAD_GATEWAY_URL", env.FAIRLEAD_GATEWAY_URL, ["https:"]),
    dataFolder: path.resolve(env.FAIRLEAD_DATA || defaultDataFolder(env, isRoot)),
    databaseUrl: env.DATABASE_URL || null,
    secret: env.FAIRLEAD_SECRET || null,
    admin: readAdmin(env.FAIRLEAD_ADMIN_EMAIL?.trim(), env.FAIRLEAD_ADMIN_PASSWORD),
    lab: readSwitch("FAIRLEAD_LAB", env.FAIRLEAD_LAB),
    isRoot,
  };
}

/** readAdmin validates the first owner's account now, rather than after the build. */
function readAdmin(email: string | undefined, password: string | undefined): Settings["admin"] {
  if (!email && !password) return null;
  if (!email || !password) throw new Refusal("Set both FAIRLEAD_ADMIN_EMAIL and FAIRLEAD_ADMIN_PASSWORD, or neither.");
  const { data, error } = firstOwner.omit({ name: true }).safeParse({ email, password });
  if (data) return data;
  const [issue] = error.issues;
  if (issue?.path[0] === "email") throw new Refusal(`FAIRLEAD_ADMIN_EMAIL is "${email}": ${issue.message}.`);
  throw new Refusal(`FAIRLEAD_ADMIN_PASSWORD is invalid: ${issue?.message}.`);
}

/** PostgreSQL refuses to run as root, and the user that it runs as then can't read root's home. */
function defaultDataFolder(env: Environment, isRoot: boolean): string {
  if (isRoot) return "/var/lib/fairlead";
  return path.join(env.XDG_DATA_HOME || path.join(os.homedir(), ".local/share"), "fairlead");
}

function readUrl(name: string, text: string | undefined, schemes: string[]): string | null {
  if (!text) return null;
  const url = URL.parse(text);
  if (url && schemes.includes(url.protocol) && url.pathname === "/" && !url.search) return url.origin;
  throw new Refusal(`${name} is "${text}": use ${schemes[0]}//host or ${schemes[0]}//host:port, without a path.`);
}

function readSwitch(name: string, text: string | undefined): boolean | null {
  if (!text) return null;
  if (text === "on" || text === "off") return text === "on";
  throw new Refusal(`${name} is "${text}": use on or off, or unset it.`);
}

function readPort(name: string, text: string | undefined): number | null {
  if (!text) return null;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Refusal(`${name} is "${text}": use a port between 1 and 65535.`);
  return port;
}
