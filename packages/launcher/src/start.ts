import path from "node:path";
import { freePort } from "@fairlead/db/free-port";
import { buildAgent } from "./build/build-agent.ts";
import { buildWeb } from "./build/build-web.ts";
import { startLab } from "./lab/start.ts";
import { checkExternal } from "./postgres/external-postgres.ts";
import { migrateDatabase } from "./postgres/migrate-database.ts";
import { openEmbedded } from "./postgres/open-embedded.ts";
import { prepareEmbedded } from "./postgres/postgres.ts";
import { step } from "./progress.ts";
import { messageOf } from "./refusal.ts";
import { randomSecret, readOrCreateSecret } from "./secret-file.ts";
import { readSettings, root, type Settings } from "./settings.ts";
import { prepareFleet } from "./start/first-start.ts";
import { claimInstance } from "./start/instance.ts";
import { offerAgent } from "./start/offer-agent.ts";
import { requireFree } from "./start/ports.ts";
import { makePrivate } from "./start/private-folder.ts";
import { agentProgram, controllerProgram, type LaunchConfig, webProgram } from "./start/programs.ts";
import { type Reach, reachOf, urlOf } from "./start/reach.ts";
import { Tree } from "./start/tree.ts";
import { waitUntilReady } from "./start/wait-until-ready.ts";

/** `npm start`: runs all programs of Fairlead as one process tree with one data folder. */
async function main(): Promise<void> {
  const settings = readSettings();
  const reach = reachOf(settings);
  const url = settings.url ?? urlOf("http", reach.others, settings.port);
  const instance = await claimInstance(settings.dataFolder, url);
  const tree = new Tree(instance);
  stopOnSignal(tree);
  try {
    await start(settings, reach, url, tree);
  } catch (error) {
    await tree.stop();
    throw error;
  }
}

async function start(settings: Settings, reach: Reach, url: string, tree: Tree): Promise<void> {
  await requireFree(settings.port, settings.host, "PORT");
  if (settings.gatewayPort) await requireFree(settings.gatewayPort, settings.host, "FAIRLEAD_GATEWAY_PORT");
  if (settings.metricsPort) await requireFree(settings.metricsPort, "127.0.0.1", "FAIRLEAD_CONTROLLER_METRICS_PORT");
  const logs = path.join(settings.dataFolder, "logs");
  makePrivate(logs);

  const [database, agentBinary, webBuild] = await Promise.all([
    openDatabase(settings, logs, tree),
    buildAgent(root, tree.signal),
    buildWeb(root, tree.signal),
  ]);
  offerAgent(root, agentBinary);
  const gatewayPort = settings.gatewayPort ?? (await freePort(7443, settings.host));
  const config: LaunchConfig = {
    root,
    logs,
    url,
    host: settings.host,
    port: settings.port,
    gatewayPort,
    gatewayUrl: settings.gatewayUrl ?? urlOf("https", reach.others, gatewayPort),
    ownGatewayUrl: urlOf("https", reach.ourselves, gatewayPort),
    webBuild,
    metricsPort: settings.metricsPort ?? (await freePort(7444)),
    databaseUrl: database.url,
    secret: settings.secret ?? readOrCreateSecret(path.join(settings.dataFolder, "secret"), randomSecret),
    agentState: path.join(settings.dataFolder, "agent"),
  };
  const fleet = await prepareFleet(config, settings, agentBinary !== null);

  tree.run(controllerProgram(config));
  tree.run(webProgram(config));
  const runsAgent = agentBinary !== null && fleet.noAgent === null;
  if (runsAgent) tree.run(agentProgram(config, agentBinary, fleet.agentToken));
  await step("Starting", () =>
    waitUntilReady(
      [`${urlOf("http", reach.ourselves, settings.port)}/readyz`, `http://127.0.0.1:${config.metricsPort}/readyz`],
      logs,
      tree.signal,
    ),
  );

  console.log(`\nFairlead is ready at ${url}\n${fleet.signIn}\n`);
  if (fleet.noAgent) console.log(fleet.noAgent);
  if (!settings.isRoot && runsAgent)
    console.log("The local agent runs without root: it measures this machine, but can't detect all kernel features.");
  console.log(`Data and logs are in ${settings.dataFolder}. Press Ctrl-C to stop.`);
  await startLab(config, settings, agentBinary, tree);
}

async function openDatabase(settings: Settings, logs: string, tree: Tree): Promise<{ url: string }> {
  if (settings.databaseUrl) {
    await checkExternal(settings.databaseUrl);
    await migrateDatabase(settings.databaseUrl);
    return { url: settings.databaseUrl };
  }
  const embedded = await step("Starting PostgreSQL", async () => {
    const prepared = await prepareEmbedded(settings.dataFolder, path.join(logs, "database.log"));
    await openEmbedded(prepared, tree.run(prepared.program));
    return prepared;
  });
  tree.instance.update({ databasePort: embedded.port });
  await migrateDatabase(embedded.url);
  return { url: embedded.url };
}

/** One Ctrl-C arrives twice: from the terminal, and forwarded by the npm process. */
const sameSignalMs = 500;

function stopOnSignal(tree: Tree): void {
  let beganAt = 0;
  const stop = async (why: string) => {
    if (tree.signal.aborted) {
      if (why !== "Ctrl-C" || performance.now() - beganAt < sameSignalMs) return;
      console.log("Ctrl-C again: killing the remaining programs.");
      tree.force();
      return;
    }
    beganAt = performance.now();
    console.log(`\n${why}: stopping.`);
    await tree.stop();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => void stop(signal === "SIGINT" ? "Ctrl-C" : signal));
  // The npm process holds the other end of this channel; the channel closes when that process is killed.
  process.on("disconnect", () => void stop("The npm process ended"));
}

// A closed terminal must not prevent the shutdown of all programs.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

try {
  await main();
} catch (error) {
  const message = messageOf(error);
  console.error(message === null ? error : `\n${message}\n`);
  process.exit(1);
}
