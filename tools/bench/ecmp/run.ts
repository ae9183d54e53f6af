import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { type RouterNetwork, routerConfig } from "@fairlead/domain/routing";
import type { Benchmark } from "../main.ts";
import { buildPrograms, runLines } from "../programs.ts";
import { elsewhere, explain, held, judge, parseLines } from "./judge.ts";

const sizes = {
  full: { changes: 300, kills: 30, freezes: 30, holds: 3, answers: 100, newReplicas: 30 },
  quick: { changes: 40, kills: 3, freezes: 3, holds: 1, answers: 3, newReplicas: 1 },
  smoke: { changes: 4, kills: 1, freezes: 1, holds: 0, answers: 1, newReplicas: 0 },
};

/** The network that the Go package ecmp builds, for other routers. */
const self = { name: "router", address: "10.79.0.1", asn: 65021 };
const network: RouterNetwork = {
  asn: 65021,
  reflectors: [
    { name: "reflector-1", address: "10.79.0.2" },
    { name: "reflector-2", address: "10.79.0.3" },
  ],
  routers: [self],
  balancers: ["10.79.0.0/24"],
  speakers: [],
  services: ["203.0.113.0/24"],
  preference: 100,
  communities: [],
  holdSeconds: 9,
  hasPassword: false,
  nearOnly: false,
  detection: null,
  mostRoutes: 10_000,
  mostNextHops: 64,
};

/**
 * Speakers announce and withdraw at random, are killed and freeze, and the router's kernel follows: the Fairlead router, and
 * FRR and BIRD as the dashboard configures them. FAIRLEAD_BENCH_SUBJECTS (comma-separated names) selects subjects.
 */
export const run: Benchmark = async ({ form, root }) => {
  const size = sizes[form];
  const { newReplicas, ...others } = size;
  const { FAIRLEAD_BENCH_SUBJECTS: subjects = form === "smoke" ? held : `${held},FRR,BIRD` } = process.env;
  const texts = mkdtempSync(path.join(os.tmpdir(), "fairlead-routers-"));
  try {
    const files = (["frr", "bird"] as const).map((format) => {
      const file = path.join(texts, `${format}.conf`);
      writeFileSync(file, routerConfig(network, { format, role: "router", self }));
      return `--${format}=${file}`;
    });
    const counts = Object.entries({ ...others, "new-replicas": newReplicas }).map(
      ([name, count]) => `--${name}=${count}`,
    );
    const lines = await buildPrograms(root, ["fairlead-bench", "fairlead-agent"], ([bench, agent]) =>
      runLines(bench, ["ecmp", `--agent=${agent}`, `--subjects=${subjects}`, ...files, ...counts], () => {}),
    );
    const measured = parseLines(lines.join("\n"));
    const wanted = subjects
      .split(",")
      .filter((subject) => measured.leftOut.every((left) => left.subject !== subject || subject === held));
    return {
      results: [...judge(measured, wanted, size), ...elsewhere],
      limits: explain(measured),
    };
  } finally {
    rmSync(texts, { recursive: true, force: true });
  }
};
