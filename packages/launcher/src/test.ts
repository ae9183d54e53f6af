import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Refusal } from "./refusal.ts";
import { root } from "./settings.ts";
import { Background } from "./testing/background.ts";
import { findChromium } from "./testing/chromium.ts";
import { type Company, runInCompany } from "./testing/in-company.ts";
import { meetNeeds, type Need } from "./testing/needs.ts";
import { cloud, generators, go, goTests, kubelets, redis, schemathesis } from "./testing/suite-needs.ts";
import { type Count, countGo, countPlaywright, countVitest, runSuite } from "./testing/suites.ts";

// `npm test`: everything. Each suite prints its own output when it fails; the last line counts them all.
type Suite = Company & {
  name: string;
  run: () => Promise<Count>;
  needs?: Need[];
  inBrowser?: boolean;
  /** It needs programs of Kubernetes, which are built in the background: of a control plane, or of nodes or AWS' controller as well. */
  onKubernetes?: "control plane" | "nodes" | "controller of AWS";
};

const began = Date.now();
const reports = mkdtempSync(path.join(os.tmpdir(), "fairlead-reports-"));
const bin = (name: string) => path.join(root, "node_modules/.bin", name);
const report = (name: string) => path.join(reports, `${name}.json`);
const node = process.execPath;
// All suites compile Go alike, as the product does, so that what one of them compiled is there for the others.
process.env.GOFLAGS ??= "-trimpath";
process.env.CGO_ENABLED ??= "0";

const vitest =
  (project: string): Suite["run"] =>
  () =>
    runSuite(
      bin("vitest"),
      ["run", "--project", project, "--reporter=default", "--reporter=json", `--outputFile.json=${report(project)}`],
      {
        count: countVitest(report(project)),
      },
    );

async function main(): Promise<void> {
  const browser: Record<string, string> = {};
  const suites: Suite[] = [
    { name: "format and lint", run: () => runSuite(bin("biome"), ["ci", "--colors=off", "."]) },
    { name: "types", run: () => runSuite(bin("tsc"), ["--noEmit"]) },
    { name: "types of the dashboard", run: () => runSuite(bin("tsc"), ["--noEmit", "-p", "apps/web"]) },
    // Early, because it compiles what many of the others build their programs of.
    {
      name: "gofmt and go vet",
      needs: [go],
      run: () => runSuite("sh", ["-c", 'test -z "$(gofmt -l .)" && go vet ./...'], { cwd: "agents" }),
    },
    { name: "unit tests", run: vitest("unit") },
    { name: "tests that wait for clocks and programs", run: vitest("patient") },
    { name: "tests on PostgreSQL", run: vitest("db"), needs: [go] },
    { name: "tests on an emulated cloud", run: vitest("cloud"), needs: cloud },
    { name: "clients of a Redis Cluster", run: vitest("redis"), needs: redis },
    { name: "what has a time to keep", run: vitest("timed"), keepsTime: true },
    {
      name: "Go tests with the race detector",
      needs: goTests,
      run: () =>
        // Four packages at a time, even on two processors: they mostly wait for daemons and kernels. Each may take longer for that.
        // That of laboratories waits longest, so it is begun first.
        runSuite("go", ["test", "-race", "-json", "-p=4", "-timeout=30m", "./internal/lab", "./..."], {
          cwd: "agents",
          count: countGo,
          env: { CGO_ENABLED: "1" },
        }),
    },
    {
      // The detector makes them too slow to tell much.
      name: "Go tests that look at a clock, without the race detector",
      needs: goTests,
      keepsTime: true,
      run: () =>
        runSuite("go", ["test", "-json", "-p=1", "-count=1", "-run=(Second|IsQuick)", "./internal/balancer/..."], {
          cwd: "agents",
          count: countGo,
        }),
    },
    {
      name: "fuzzing what peers say by BGP, briefly",
      needs: goTests,
      run: () =>
        runSuite("go", ["test", "-run=^$", "-fuzz=^FuzzUpdate$", "-fuzztime=20s", "./internal/bgp/gobgp"], {
          cwd: "agents",
        }),
    },
    {
      name: "fuzzing what clients say first by TLS, briefly",
      needs: goTests,
      run: () =>
        runSuite(
          "go",
          ["test", "-run=^$", "-fuzz=^FuzzServerName$", "-fuzztime=20s", "./internal/balancer/clienthello"],
          {
            cwd: "agents",
          },
        ),
    },
    {
      // It counts what is left of a laboratory, however fast that changes.
      name: "soak, quick",
      needs: [go],
      run: () => runSuite(node, ["tools/bench/main.ts", "soak", "--quick"], { always: true }),
      waits: true,
    },
    {
      name: "schemathesis on the REST API",
      needs: schemathesis,
      run: () => runSuite(node, ["tools/schemathesis.ts"], { always: true }),
    },
    {
      name: "generated code is up to date",
      needs: generators,
      run: () => runSuite(node, ["tools/generate.ts", "--check"]),
    },
    { name: "the two commands, their refusals and their crashes", needs: [go], run: vitest("system") },
    {
      name: "the dashboard in a browser",
      needs: [go],
      inBrowser: true,
      run: () =>
        runSuite(bin("playwright"), ["test", "--config", "apps/web/e2e/playwright.config.ts"], {
          count: countPlaywright(report("browser")),
          env: { ...browser, PLAYWRIGHT_JSON_OUTPUT_NAME: report("browser") },
        }),
    },
    // Late, because its programs take minutes to build, in what the suites before it leave idle of the processors.
    { name: "tests on a real Kubernetes API", needs: [go], run: vitest("kube"), onKubernetes: "control plane" },
    {
      name: "the controller of an emulated cloud",
      needs: [go, ...cloud],
      run: vitest("kube-cloud"),
      onKubernetes: "controller of AWS",
    },
    { name: "traffic into pods of real nodes", needs: kubelets, run: vitest("kubelet"), onKubernetes: "nodes" },
    {
      name: "benchmark of the control plane, quick",
      keepsTime: true,
      needs: [go],
      inBrowser: true,
      run: () => runSuite(node, ["tools/bench/main.ts", "controlplane", "--quick"], { env: browser, always: true }),
    },
    {
      name: "benchmark of a load balancer for each instance, quick",
      keepsTime: true,
      needs: [go],
      run: () => runSuite(node, ["tools/bench/main.ts", "per-replica", "--quick"], { always: true }),
      onKubernetes: "control plane",
    },
    {
      name: "benchmark of costs, quick",
      keepsTime: true,
      run: () => runSuite(node, ["tools/bench/main.ts", "cost", "--quick"], { always: true }),
    },
    {
      name: "benchmark of churn, quick",
      keepsTime: true,
      needs: [go],
      run: () => runSuite(node, ["tools/bench/main.ts", "churn", "--quick"], { always: true }),
    },
    {
      name: "benchmark of routers that follow, quick",
      keepsTime: true,
      needs: [go],
      run: () => runSuite(node, ["tools/bench/main.ts", "ecmp", "--quick"], { always: true }),
    },
    {
      name: "benchmark of ECMP's stability, quick",
      keepsTime: true,
      needs: [go],
      run: () => runSuite(node, ["tools/bench/main.ts", "ecmp-stability", "--quick"], { always: true }),
    },
    {
      name: "benchmark of ECMP's throughput, quick",
      keepsTime: true,
      needs: [go],
      run: () => runSuite(node, ["tools/bench/main.ts", "ecmp-throughput", "--quick"], { always: true }),
    },
    {
      name: "benchmark of many routes, quick",
      keepsTime: true,
      needs: [go],
      run: () => runSuite(node, ["tools/bench/main.ts", "bgp-scale", "--quick"], { always: true }),
    },
  ];
  const only = process.argv.slice(2);
  const chosen = only.length > 0 ? suites.filter((suite) => only.some((word) => suite.name.includes(word))) : suites;
  if (chosen.length === 0)
    throw new Refusal(`No suite is named like that; there are: ${suites.map((suite) => suite.name).join(", ")}.`);

  await meetNeeds([...new Set(chosen.flatMap((suite) => suite.needs ?? []))]);
  if (chosen.some((suite) => suite.inBrowser)) browser.CHROMIUM = await findChromium();

  const kubernetes = new Map([...new Set(chosen.flatMap((suite) => suite.onKubernetes ?? []))].map(buildKubernetes));
  mkdirSync(reports, { recursive: true });
  const total: Count = { passed: 0, failed: 0, skipped: 0 };
  await runInCompany(chosen, async (suite) => {
    const suiteBegan = Date.now();
    console.log(`• ${suite.name}`);
    const building = suite.onKubernetes && kubernetes.get(suite.onKubernetes);
    const ended = building && (await waitFor(building));
    if (suite.keepsTime) for (const other of kubernetes.values()) other.hold();
    const count = ended && ended.code !== 0 ? neverRun(ended.output) : await suite.run();
    for (const other of kubernetes.values()) other.release();
    total.passed += count.passed;
    total.failed += count.failed;
    total.skipped += count.skipped;
    const whose = suite.waits ? `${suite.name}: ` : "";
    console.log(
      `  ${count.failed > 0 ? "✗" : "✓"} ${whose}${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped (${seconds(suiteBegan)} s)`,
    );
  });
  rmSync(reports, { recursive: true, force: true });
  console.log(`\nIn ${seconds(began)} s:\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
}

/** buildKubernetes is begun first and waited for last: the API server alone takes six minutes to compile. */
function buildKubernetes(what: NonNullable<Suite["onKubernetes"]>): [typeof what, Background] {
  const more = { "control plane": [], nodes: ["--nodes"], "controller of AWS": ["--aws"] }[what];
  const title = `Kubernetes (${what}) is built for tests, whenever a processor is idle`;
  return [what, new Background(title, node, ["tools/kubernetes/main.ts", "--idle", ...more])];
}

async function waitFor(background: Background): Background["ended"] {
  if (background.isBusy) console.log("  waiting for what is built in the background");
  const beat = setInterval(() => console.log("  …"), 60_000);
  const ended = await background.ended;
  clearInterval(beat);
  return ended;
}

function neverRun(why: string): Count {
  console.log(why);
  return { passed: 0, failed: 1, skipped: 0 };
}

function seconds(since: number): number {
  return Math.round((Date.now() - since) / 1_000);
}

process.on("disconnect", () => process.exit(1));
main().catch((error: unknown) => {
  console.error(error instanceof Refusal ? `\n${error.message}\n` : error);
  process.exit(1);
});
