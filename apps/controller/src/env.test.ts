import { expect, it } from "vitest";
import { readEnv } from "./env.ts";

const good = { DATABASE_URL: "postgresql://someone:hidden@127.0.0.1/fairlead", FAIRLEAD_SECRET: "s".repeat(32) };

it("has a default for every optional setting", () => {
  expect(readEnv(good)).toMatchObject({
    gatewayHost: "127.0.0.1",
    gatewayPort: 7443,
    metricsHost: "127.0.0.1",
    metricsPort: 7444,
    cloudEndpoints: [],
    priceFeeds: { scheduled: [] },
  });
  expect(readEnv({ ...good, FAIRLEAD_GATEWAY_PORT: "9443" }).gatewayUrl.href).toBe("https://127.0.0.1:9443/");
});

it("reads which price feeds are scheduled daily, and how to access each", () => {
  const keys = { FAIRLEAD_GCP_PRICE_KEY: "g", FAIRLEAD_HETZNER_PRICE_TOKEN: "" };
  const mirrors = { FAIRLEAD_PRICE_MIRRORS: "gcp=https://mirror.example" };
  expect(readEnv({ ...good, ...keys, ...mirrors, FAIRLEAD_PRICE_FEEDS: "aws" }).priceFeeds).toMatchObject({
    scheduled: ["aws"],
    access: {
      aws: { url: null, key: null },
      gcp: { url: "https://mirror.example", key: "g" },
      hetzner: { url: null, key: null },
    },
  });
});

it.each([
  ["no database", { ...good, DATABASE_URL: undefined }, "DATABASE_URL is not set"],
  ["another database", { ...good, DATABASE_URL: "mysql://a:hidden@b" }, "DATABASE_URL must start with postgresql://"],
  [
    "a short secret",
    { ...good, FAIRLEAD_SECRET: "short" },
    "FAIRLEAD_SECRET must have at least 32 characters but has 5",
  ],
  [
    "an invalid port",
    { ...good, FAIRLEAD_GATEWAY_PORT: "70000" },
    'FAIRLEAD_GATEWAY_PORT must be a port between 1 and 65535; it is "70000"',
  ],
  [
    "a port with words",
    { ...good, FAIRLEAD_CONTROLLER_METRICS_PORT: "1e3" },
    "FAIRLEAD_CONTROLLER_METRICS_PORT must be a port",
  ],
  [
    "a URL without TLS",
    { ...good, FAIRLEAD_GATEWAY_URL: "http://127.0.0.1" },
    "FAIRLEAD_GATEWAY_URL must be a URL such as https://",
  ],
  [
    "an unknown feed",
    { ...good, FAIRLEAD_PRICE_FEEDS: "aws,ibm" },
    'FAIRLEAD_PRICE_FEEDS is invalid: "ibm" is none of aws, aws-machines, azure, gcp, oracle, hetzner.',
  ],
  [
    "a mirror without TLS",
    { ...good, FAIRLEAD_PRICE_MIRRORS: "aws=http://mirror.example" },
    "FAIRLEAD_PRICE_MIRRORS is invalid: enter each as aws=https://host/path",
  ],
  [
    "an endpoint with a path",
    { ...good, FAIRLEAD_CLOUD_ENDPOINTS: "https://a.example,https://b.example/x" },
    'FAIRLEAD_CLOUD_ENDPOINTS is invalid: enter each as https://host or http://host:port, without user name or path; one is "https://b.example/x"',
  ],
])("rejects %s with a message that says what to set", (_name, env, message) => {
  expect(() => readEnv(env)).toThrow(message);
  expect(() => readEnv(env)).not.toThrow(/hidden/);
});
