import { readFileSync } from "node:fs";
import path from "node:path";
import { createTestFleet, type FleetIds } from "@fairlead/api/testing";
import { openDb } from "@fairlead/db";
import { permissions } from "@fairlead/domain/access";
import { priceFeedNames } from "@fairlead/domain/cost";
import { findEmbedded } from "@fairlead/launcher";
import { claimPorts } from "@fairlead/launcher/testing/claim-ports";
import { createApiKey } from "@fairlead/services";
import { startStack } from "./bench/controlplane/stack.ts";

export type TestProduct = {
  url: string;
  /** Creates an organisation with one object of each kind, and a key with all permissions there. */
  createFleet: (options?: FleetOptions) => Promise<{ key: string; ids: FleetIds }>;
  /** What is broken after the run. */
  problems: () => Promise<string[]>;
  /** The last log lines of its programs. */
  logs: () => string;
  stop: () => Promise<void>;
};

type FleetOptions = {
  /** As if it had set the installation up: it may change what is the same for all organisations. */
  isFirst?: boolean;
};

const pages = ["/", "/exposures", "/load-balancers", "/clusters", "/nodes", "/address-pools", "/costs", "/events"];

/** startTestProduct runs the product with its own data folder, as `npm start` does. */
export async function startTestProduct(
  root: string,
  variables: { readonly [name: string]: string } = {},
): Promise<TestProduct> {
  const { first, release } = await claimPorts();
  const [web, gateway, metrics, unused] = [first + 1, first + 2, first + 3, first + 4];
  // Price lists are fetched on request: none of them from the internet.
  const mirrors = priceFeedNames.map((feed) => `${feed}=http://127.0.0.1:${unused}`);
  process.env.FAIRLEAD_PRICE_MIRRORS = mirrors.join(",");
  process.env.FAIRLEAD_CONTROLLER_METRICS_PORT = String(metrics);
  const stack = await startStack(root, { web, gateway }, variables);
  const log = (name: string) => readFileSync(path.join(stack.dataFolder, "logs", `${name}.log`), "utf8");
  return {
    url: stack.url,
    createFleet: (options) => createFleet(stack.dataFolder, options),
    problems: async () => {
      const restarted = Object.entries(readPids(stack.dataFolder)).filter(([name, pid]) => stack.pids[name] !== pid);
      const addresses = [
        ...["/readyz", ...pages].map((page) => `${stack.url}${page}`),
        `http://127.0.0.1:${metrics}/readyz`,
      ];
      const answers = await Promise.all(addresses.map((address) => statusOf(address, stack.cookie)));
      const failed = answers.flatMap((status, i) => (status === 200 ? [] : [`${addresses[i]} returned ${status}`]));
      return [...restarted.map(([name]) => `the ${name} has restarted`), ...failed];
    },
    logs: () => ["web", "controller"].map((name) => `${name}:\n${tailOf(log(name))}`).join("\n"),
    stop: async () => {
      await stack.stop();
      await release();
    },
  };
}

async function createFleet(
  dataFolder: string,
  { isFirst = false }: FleetOptions = {},
): Promise<{ key: string; ids: FleetIds }> {
  const db = openDb(findEmbedded(dataFolder) ?? "", { connections: 2 });
  try {
    const { owner, users, ids } = await createTestFleet(db);
    if (isFirst) {
      const { createdAt } = await db.organization.findFirstOrThrow({ orderBy: { createdAt: "asc" } });
      const earlier = new Date(createdAt.getTime() - 1);
      await db.organization.update({ where: { id: ids.organization }, data: { createdAt: earlier } });
    }
    const { key } = await createApiKey(
      { ...owner, actor: users.owner },
      { name: "test", role: "owner", scopes: [...permissions], requestsPerMinute: 60_000, expiresAt: null },
    );
    return { key, ids };
  } finally {
    await db.$disconnect();
  }
}

function readPids(dataFolder: string): Record<string, number> {
  const { children } = JSON.parse(readFileSync(path.join(dataFolder, "instance.json"), "utf8")) as {
    children: { name: string; process: { pid: number } }[];
  };
  return Object.fromEntries(children.map((child) => [child.name, child.process.pid]));
}

async function statusOf(address: string, cookie: string): Promise<number> {
  const response = await fetch(address, {
    headers: { cookie },
    redirect: "manual",
    signal: AbortSignal.timeout(30_000),
  });
  await response.body?.cancel();
  return response.status;
}

function tailOf(log: string): string {
  return log.split("\n").slice(-40).join("\n");
}
