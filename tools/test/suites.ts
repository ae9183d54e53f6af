import path from "node:path";
import { cloud, generators, go, kubelets, redis, schemathesis, systemd } from "./needs/suite-needs.ts";
import { readPlaywright } from "./reports/playwright.ts";
import type { Command, Suite } from "./suite.ts";
import { listBenchSuites } from "./suites/bench.ts";
import { clientsSuite } from "./suites/clients.ts";
import { deliveryTests, fuzzTests, raceTests, timedGoTests } from "./suites/go.ts";
import { listTurboSuites, productBuilds } from "./suites/turbo.ts";
import { vitest } from "./suites/vitest.ts";

/** The programs of the product: the launcher starts the others by path, so they count too. */
const product = ["packages/launcher/src/start.ts", "apps/web/src/**"];

/** listSuites returns all suites, first those that others wait for, then the longest. */
export function listSuites(root: string, isForced = false): Suite[] {
  return [...listTurboSuites(root, isForced), ...listOthers(root).map(compileAlike)];
}

/** All suites compile Go with the flags of the product, so that they share the build cache. */
function compileAlike({ command, reads, ...suite }: Suite): Suite {
  const { GOFLAGS = "-trimpath", CGO_ENABLED = "0" } = process.env;
  const withGo = (each: Command): Command => ({ ...each, env: { GOFLAGS, CGO_ENABLED, ...each.env } });
  const { only } = reads;
  return {
    ...suite,
    command: withGo(command),
    reads: only ? { ...reads, only: (affected) => withGo(only(affected)) } : reads,
  };
}

function listOthers(root: string): Suite[] {
  return [
    raceTests,
    {
      name: "dashboard in a browser",
      load: "computes",
      after: productBuilds,
      needs: [go],
      inBrowser: true,
      command: playwright(root, "playwright.config.ts"),
      reads: { entries: ["apps/web/e2e/**", ...product] },
    },
    {
      name: "large fleet in a browser",
      load: "alone",
      after: productBuilds,
      needs: [go],
      inBrowser: true,
      limitMinutes: process.env.EVERY_PAGE ? 95 : 30,
      command: playwright(root, "fleet.config.ts"),
      reads: { entries: ["apps/web/e2e/**", ...product] },
    },
    {
      name: "labs in a browser",
      load: "computes",
      after: productBuilds,
      needs: [go],
      inBrowser: true,
      command: playwright(root, "labs.config.ts"),
      reads: { entries: ["apps/web/e2e/**", ...product] },
    },
    {
      name: "Kubernetes in a browser",
      load: "computes",
      after: productBuilds,
      kubernetes: "nodes",
      needs: kubelets,
      inBrowser: true,
      command: playwright(root, "kubernetes.config.ts"),
      reads: { entries: ["apps/web/e2e/**", ...product] },
    },
    { name: "tests on PostgreSQL", load: "computes", needs: [go], ...vitest(root, "db") },
    { name: "start, stop and crashes", load: "computes", after: productBuilds, needs: [go], ...vitest(root, "system") },
    {
      name: "tests that wait for clocks and programs",
      load: "waits",
      needs: [go, systemd, ...redis],
      ...vitest(root, "patient", "redis"),
    },
    { name: "tests on an emulated cloud", load: "computes", needs: cloud, ...vitest(root, "cloud") },
    {
      name: "schemathesis on the REST API",
      load: "computes",
      needs: schemathesis,
      verbose: true,
      command: { program: "node", args: ["tools/schemathesis.ts"] },
      reads: { entries: ["tools/schemathesis*", "packages/api/src/**", "apps/web/src/server/**"] },
    },
    clientsSuite,
    {
      name: "attack on a running product",
      load: "computes",
      after: productBuilds,
      needs: [go],
      verbose: true,
      limitMinutes: 10,
      command: { program: "node", args: ["tools/attack/main.ts"] },
      reads: { entries: ["tools/attack/main.ts", "apps/controller/src/**", ...product] },
    },
    {
      name: "generated code",
      load: "computes",
      needs: generators,
      command: { program: "node", args: ["tools/generate.ts", "--check"] },
      reads: {},
    },
    {
      name: "traffic into pods of real nodes",
      load: "computes",
      kubernetes: "nodes",
      needs: kubelets,
      ...vitest(root, "kubelet"),
    },
    {
      name: "tests on a Kubernetes API",
      load: "computes",
      kubernetes: "control plane",
      needs: [go],
      ...vitest(root, "kube"),
    },
    {
      name: "AWS controller in an emulated cloud",
      load: "computes",
      kubernetes: "controller of AWS",
      needs: [go, ...cloud],
      ...vitest(root, "kube-cloud"),
    },
    ...listBenchSuites(),
    ...fuzzTests,
    deliveryTests,
    timedGoTests,
    { name: "promises with a clock", load: "alone", after: productBuilds, needs: [go], ...vitest(root, "timed") },
  ];
}

function playwright(root: string, config: string): Command {
  const report = path.join(root, ".test/reports", `${config}.json`);
  return {
    program: "playwright",
    args: ["test", "--config", `apps/web/e2e/${config}`],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    count: readPlaywright(report),
  };
}
