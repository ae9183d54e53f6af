import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Program } from "../process/supervisor.ts";
import { variablesFor } from "../variables.ts";

/** LaunchConfig is the configuration that all programs share. */
export type LaunchConfig = {
  root: string;
  logs: string;
  /** The URL for browsers, and the address to listen on. */
  url: string;
  host: string;
  port: number;
  gatewayPort: number;
  /** The gateway URL for agents on other machines, and for agents on this one. */
  gatewayUrl: string;
  ownGatewayUrl: string;
  metricsPort: number;
  /** The build folder of the dashboard, relative to apps/web. */
  webBuild: string;
  databaseUrl: string;
  secret: string;
  agentState: string;
};

export function controllerProgram(config: LaunchConfig): Program {
  return {
    name: "controller",
    command: process.execPath,
    args: [path.join(config.root, "apps/controller/src/main.ts")],
    cwd: config.root,
    // The dashboard gets no key of a price feed.
    env: {
      ...inherited(...variablesFor("controller")),
      ...controlPlaneEnv(config),
    },
    logFile: path.join(config.logs, "controller.log"),
  };
}

export function webProgram(config: LaunchConfig): Program {
  return {
    name: "web",
    command: process.execPath,
    args: [
      // Holds requests until the guards are there: Next.js listens earlier.
      "--import",
      pathToFileURL(path.join(config.root, "apps/web/src/preload.ts")).href,
      path.join(config.root, "node_modules/next/dist/bin/next"),
      "start",
      "--port",
      String(config.port),
      "--hostname",
      config.host,
      // Longer than the idle timeout of proxies, or they might reuse a connection that is just being closed.
      "--keepAliveTimeout",
      "75000",
    ],
    cwd: path.join(config.root, "apps/web"),
    env: {
      ...inherited(...variablesFor("web"), ...goVariables()),
      ...controlPlaneEnv(config),
      FAIRLEAD_WEB_BUILD: config.webBuild,
      // It builds the agent for machines of the other architecture when the first of them asks.
      FAIRLEAD_AGENT_BUILDER: path.join(config.root, "agents/build-for"),
    },
    logFile: path.join(config.logs, "web.log"),
  };
}

/** The token is passed in the environment, because other users can read a command line. */
export function agentProgram(config: LaunchConfig, binary: string, token: string | null): Program {
  return {
    name: "agent",
    command: binary,
    args: ["node"],
    cwd: config.root,
    env: {
      ...inherited(),
      FAIRLEAD_CONTROL_PLANE: config.ownGatewayUrl,
      FAIRLEAD_STATE: config.agentState,
      ...(token ? { FAIRLEAD_TOKEN: token } : {}),
    },
    logFile: path.join(config.logs, "agent.log"),
    refusedExit: 2,
  };
}

/** The lab stops slowly: its processes end before their namespaces are removed. */
export function labProgram(config: LaunchConfig, binary: string, args: string[]): Program {
  return {
    name: "lab",
    command: binary,
    args: ["lab", ...args],
    cwd: config.root,
    // The lab's sockets are there, for commands from a terminal.
    env: inherited("XDG_RUNTIME_DIR"),
    logFile: path.join(config.logs, "lab.log"),
    graceMs: 15_000,
    whySlow: "The lab is removing its namespaces. Press Ctrl-C again to kill it; the next start then cleans up.",
    refusedExit: 2,
  };
}

function controlPlaneEnv(config: LaunchConfig): Record<string, string> {
  return {
    ...inherited("NODE_COMPILE_CACHE"),
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    DATABASE_URL: config.databaseUrl,
    FAIRLEAD_SECRET: config.secret,
    FAIRLEAD_URL: config.url,
    HOST: config.host,
    PORT: String(config.port),
    FAIRLEAD_GATEWAY_HOST: config.host,
    FAIRLEAD_GATEWAY_PORT: String(config.gatewayPort),
    FAIRLEAD_GATEWAY_URL: config.gatewayUrl,
    FAIRLEAD_CONTROLLER_METRICS_PORT: String(config.metricsPort),
  };
}

/** Where Go keeps its modules and caches, if not in the home folder. */
function goVariables(): string[] {
  return Object.keys(process.env).filter((name) => /^(GO|XDG_)/.test(name));
}

/** Passes on only the variables that programs need. */
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
