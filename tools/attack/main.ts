import path from "node:path";
import { attackAgents } from "./agents.ts";
import { attackAudit } from "./audit.ts";
import { attackBodies } from "./bodies.ts";
import { attackEdge } from "./edge.ts";
import { attackFigures, attackInventory } from "./figures.ts";
import { attackCosts, attackNames, attackPools } from "./inputs.ts";
import { attackIssuers } from "./issuers.ts";
import { attackKubeconfigs } from "./kubeconfigs.ts";
import { attackMaps } from "./maps.ts";
import { attackOrganisations } from "./organisations.ts";
import { Results } from "./results.ts";
import { attackRoles } from "./roles.ts";
import { attackSameOrigin } from "./same-origin.ts";
import { attackSignIn } from "./sign-in.ts";
import { attackStreams } from "./streams.ts";
import { startTarget, type Target } from "./target.ts";

// Replays the requests of a security test against a running product of its own. Each line is an attack, and how it was
// refused; lines in parentheses show that the same request works where it should. `node tools/attack/main.ts edge roles`
// runs only these topics.
const root = path.resolve(import.meta.dirname, "../..");

type Topics = Record<string, (target: Target, results: Results) => Promise<void>>;

/** Stages run one after another, and the chains of a stage at once. Memory is measured while nothing else runs. */
const stages: Topics[][] = [
  [{ bodies: attackBodies }],
  [
    {
      edge: attackEdge,
      agents: attackAgents,
      figures: attackFigures,
      inventory: attackInventory,
      names: attackNames,
      pools: attackPools,
      costs: attackCosts,
      kubeconfigs: attackKubeconfigs,
      organisations: attackOrganisations,
    },
    // These sign in, or look at the log.
    {
      "sign-in": attackSignIn,
      "same-origin": attackSameOrigin,
      audit: attackAudit,
      maps: attackMaps,
      streams: attackStreams,
      issuers: attackIssuers,
    },
  ],
  [{ roles: attackRoles }],
];

const chosen = process.argv.slice(2);
const results = new Results();
const target = await startTarget(root);
try {
  for (const chains of stages) await Promise.all(chains.map((topics) => runChain(topics)));
} finally {
  await target.stop();
}
results.print();
process.exitCode = results.open.length === 0 && results.passed > 0 ? 0 : 1;

async function runChain(topics: Topics): Promise<void> {
  for (const [topic, attack] of Object.entries(topics))
    if (chosen.length === 0 || chosen.includes(topic)) await results.attempt(topic, () => attack(target, results));
}
