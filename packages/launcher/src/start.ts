import { mkdirSync } from "node:fs";
import path from "node:path";
import { freePort } from "@fairlead/db/free-port";
import { bringUpToDate } from "./bring-up-to-date.ts";
import { buildAgent } from "./build-agent.ts";
import { buildWeb } from "./build-web.ts";
import { checkExternal } from "./external-postgres.ts";
import { prepareFleet } from "./first-start.ts";
import { claimInstance } from "./instance.ts";
import { startLab } from "./lab/start.ts";
import { openEmbedded } from "./open-embedded.ts";
import { requireFree } from "./ports.ts";
import { prepareEmbedded } from "./postgres.ts";
import { agentProgram, controllerProgram, type Surroundings, webProgram } from "./programs.ts";
import { step } from "./progress.ts";
import { type Reach, reachOf, urlOf } from "./reach.ts";
import { sentenceOf } from "./refusal.ts";
import { keepSecret, randomSecret } from "./secret-file.ts";
import { readSettings, root, type Settings } from "./settings.ts";
import { Tree } from "./tree.ts";
import { waitUntilReady } from "./wait-until-ready.ts";

/** `npm start`: everything Fairlead needs, as one process tree over one data folder. */
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
  const logs = path.join(settings.dataFolder, "logs");
  mkdirSync(logs, { recursive: true });

  const [database, agentBinary, webBuild] = await Promise.all([
    openDatabase(settings, logs, tree),
    buildAgent(root, tree.signal),
    buildWeb(root, tree.signal),
  ]);
  const gatewayPort = settings.gatewayPort ?? (await freePort(7443, settings.host));
  const surroundings: Surroundings = {
    root,
    logs,
    url,
    host: settings.host,
    port: settings.port,
    gatewayPort,
    gatewayUrl: settings.gatewayUrl ?? urlOf("https", reach.others, gatewayPort),
    ownGatewayUrl: urlOf("https", reach.ourselves, gatewayPort),
    webBuild,
    metricsPort: await freePort(7444),
    databaseUrl: database.url,
    secret: settings.secret ?? keepSecret(path.join(settings.dataFolder, "secret"), randomSecret),
    agentState: path.join(settings.dataFolder, "agent"),
  };
  const fleet = await prepareFleet(surroundings, settings, agentBinary !== null);

  tree.run(controllerProgram(surroundings));
  tree.run(webProgram(surroundings));
  const runsAgent = agentBinary !== null && fleet.noAgent === null;
  if (runsAgent) tree.run(agentProgram(surroundings, agentBinary, fleet.agentToken));
  await step("Starting", () =>
    waitUntilReady(
      [
        `${urlOf("http", reach.ourselves, settings.port)}/readyz`,
        `http://127.0.0.1:${surroundings.metricsPort}/readyz`,
      ],
      logs,
      tree.signal,
    ),
  );

  console.log(`\nFairlead is ready at ${url}\n${fleet.signIn}\n`);
  if (fleet.noAgent) console.log(fleet.noAgent);
  if (!settings.isRoot && runsAgent)
    console.log(
      "The local agent runs without root: it measures this machine, and can't tell which kernel features later roles could use.",
    );
  console.log(`Data and logs lie in ${settings.dataFolder}. Ctrl-C stops everything.`);
  await startLab(surroundings, settings, agentBinary, tree);
}

async function openDatabase(settings: Settings, logs: string, tree: Tree): Promise<{ url: string }> {
  if (settings.databaseUrl) {
    await checkExternal(settings.databaseUrl);
    await bringUpToDate(settings.databaseUrl);
    return { url: settings.databaseUrl };
  }
  const embedded = await step("Starting PostgreSQL", async () => {
    const prepared = await prepareEmbedded(settings.dataFolder, path.join(logs, "database.log"));
    await openEmbedded(prepared, tree.run(prepared.program));
    return prepared;
  });
  tree.instance.update({ databasePort: embedded.port });
  await bringUpToDate(embedded.url);
  return { url: embedded.url };
}

/** One Ctrl-C comes twice: from the terminal, and passed on by the npm side of us. */
const sameKeyMs = 500;

function stopOnSignal(tree: Tree): void {
  let beganAt = 0;
  const stop = async (why: string) => {
    if (tree.signal.aborted) {
      if (why !== "Ctrl-C" || performance.now() - beganAt < sameKeyMs) return;
      console.log("Ctrl-C again: ending what still runs.");
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
  // The npm side of us holds this channel; when it is killed, the channel closes.
  process.on("disconnect", () => void stop("The starting process is gone"));
}

// Who listened may be gone, a closed terminal say; all that runs has to be stopped all the same.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

try {
  await main();
} catch (error) {
  const sentence = sentenceOf(error);
  console.error(sentence === null ? error : `\n${sentence}\n`);
  process.exit(1);
}
