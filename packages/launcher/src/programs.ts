import path from "node:path";
import type { Program } from "./supervisor.ts";

/** What every program of the tree is told about the others. */
export type Surroundings = {
  root: string;
  logs: string;
  /** Where browsers reach us, and the address to listen on. */
  url: string;
  host: string;
  port: number;
  gatewayPort: number;
  /** Where agents on other machines dial, and where ours does. */
  gatewayUrl: string;
  ownGatewayUrl: string;
  metricsPort: number;
  /** The folder of the dashboard's build, from its own folder. */
  webBuild: string;
  databaseUrl: string;
  secret: string;
  agentState: string;
};

export function controllerProgram(given: Surroundings): Program {
  return {
    name: "controller",
    command: process.execPath,
    args: [path.join(given.root, "apps/controller/src/main.ts")],
    cwd: given.root,
    // Keys are for whoever reads the feeds, and for nobody else.
    env: {
      ...inherited(
        "FAIRLEAD_PRICE_FEEDS",
        "FAIRLEAD_PRICE_MIRRORS",
        "FAIRLEAD_GCP_PRICE_KEY",
        "FAIRLEAD_HETZNER_PRICE_TOKEN",
      ),
      ...controlPlaneEnv(given),
    },
    logFile: path.join(given.logs, "controller.log"),
  };
}

export function webProgram(given: Surroundings): Program {
  return {
    name: "web",
    command: process.execPath,
    args: [
      path.join(given.root, "node_modules/next/dist/bin/next"),
      "start",
      "--port",
      String(given.port),
      "--hostname",
      given.host,
      // Longer than proxies keep idle connections, or they would send a request into one that is just being closed.
      "--keepAliveTimeout",
      "75000",
    ],
    cwd: path.join(given.root, "apps/web"),
    env: { ...controlPlaneEnv(given), FAIRLEAD_WEB_BUILD: given.webBuild },
    logFile: path.join(given.logs, "web.log"),
  };
}

/** The token goes through the environment, which other users can't read; a command line they can. */
export function agentProgram(given: Surroundings, binary: string, token: string | null): Program {
  return {
    name: "agent",
    command: binary,
    args: ["node"],
    cwd: given.root,
    env: {
      ...inherited(),
      FAIRLEAD_CONTROL_PLANE: given.ownGatewayUrl,
      FAIRLEAD_STATE: given.agentState,
      ...(token ? { FAIRLEAD_TOKEN: token } : {}),
    },
    logFile: path.join(given.logs, "agent.log"),
    refusedExit: 2,
  };
}

/** It takes a while to end: its processes get to end by themselves before what they lived in is taken away. */
export function labProgram(given: Surroundings, binary: string, args: string[]): Program {
  return {
    name: "lab",
    command: binary,
    args: ["lab", ...args],
    cwd: given.root,
    // Where it keeps its sockets, for whoever asks it something at a terminal.
    env: inherited("XDG_RUNTIME_DIR"),
    logFile: path.join(given.logs, "lab.log"),
    graceMs: 15_000,
    whySlow: "The lab takes its namespaces away; Ctrl-C again ends it, and its next start cleans up.",
    refusedExit: 2,
  };
}

function controlPlaneEnv(given: Surroundings): Record<string, string> {
  return {
    ...inherited("FAIRLEAD_CALCULATOR", "FAIRLEAD_CLOUD_ENDPOINTS", "FAIRLEAD_IN_CLUSTER", "FAIRLEAD_TRUSTED_PROXIES"),
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    DATABASE_URL: given.databaseUrl,
    FAIRLEAD_SECRET: given.secret,
    FAIRLEAD_URL: given.url,
    HOST: given.host,
    PORT: String(given.port),
    FAIRLEAD_GATEWAY_HOST: given.host,
    FAIRLEAD_GATEWAY_PORT: String(given.gatewayPort),
    FAIRLEAD_GATEWAY_URL: given.gatewayUrl,
    FAIRLEAD_CONTROLLER_METRICS_PORT: String(given.metricsPort),
  };
}

/** Only what programs need from outside: none of the rest is theirs to know. */
function inherited(...more: string[]): Record<string, string> {
  const names = [
    ...more,
    "PATH",
    "HOME",
    "TMPDIR",
    "TZ",
    "LANG",
    "NODE_EXTRA_CA_CERTS",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NO_PROXY",
  ];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
