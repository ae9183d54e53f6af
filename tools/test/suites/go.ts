import { goTests } from "../needs/suite-needs.ts";
import { readGo } from "../reports/go.ts";
import type { Command, Suite } from "../suite.ts";

/** The contract of each engine of data paths: with the race detector in one delivery, which starts all its goroutines. */
const otherDeliveries = ["^TestContract$/^(nat|tunnel|gue)$", "^TestContractWithoutPrivileges$"];

/** Tests of one goroutine that measure time or simulate much of it, which the race detector makes too slow. */
const ofOneGoroutine = [
  "^TestANodeUsesLittleCPU$",
  "^TestTheServiceTimeIsThatOfTheServer$",
  "^TestAdaptiveIsAsFastAsTheBestOtherSubjectOfEachPoint$",
  "^TestAdaptiveSurvivesChangesNearlyAsWellAsWithPerfectKnowledge$",
  "^TestThePapersDelaysHaveItsThroughput$",
  "^TestLastingConnectionsArePlacedNearlyAsWellAsByTheNewestFigures$",
  "^TestAChangeOfHealthIsQuickAmongTenThousandBackends$",
  "^TestAThousandServicesBuildInWellUnderASecond$",
  "^TestTenThousandBackendsAreSetInASecond$",
];

/** Tests of a lab whose load takes all cores. Its processes are the test itself, so the race detector would make them too slow, too. */
const ofAllCores = [
  "^TestEverySubjectServesTheRequestsOfAllNodes$",
  "^TestPartsOfTheLabStartAgain$",
  "^TestRequestsOverUDPAndIPv6AreServed$",
  "^TestRequestsFromOutsideAreServed$",
  "^TestEverySubjectRunsEveryTurnAndNothingIsLeft$",
];

/** Tests with limits of time that they multiply under the race detector, so they run without it, too. */
const ofLimitedTime = [
  "^TestADeadBackendGetsNoConnectionATenthOfASecondAfterItIsKnown$",
  "^TestTheVerifierIsQuick$",
  "^TestABackendThatRejectsIsSkippedForASecond$",
];

export const raceTests: Suite = {
  name: "Go tests with the race detector",
  // Its packages keep all cores busy, and send traffic that the kernel must keep up with.
  load: "alone",
  needs: goTests,
  ...goTest(["./internal/lab", "./..."], (packages) => ({
    // The package of labs first, because it takes longest. go vet is a suite of its own.
    args: [
      ...["test", "-race", "-vet=off", "-json", "-count=1", "-p=3", "-parallel=4", "-timeout=30m"],
      `-skip=${[...otherDeliveries, ...ofOneGoroutine, ...ofAllCores].join("|")}`,
      ...packages,
    ],
    env: { CGO_ENABLED: "1" },
    count: readGo,
  })),
};

/** Parts of contracts that the race tests skip: the kernel does most of the work. IPVS is not among them, because its contract runs in a VM without the detector. */
export const deliveryTests: Suite = {
  name: "Go tests of the other deliveries",
  // They send traffic that the kernel must keep up with.
  load: "alone",
  needs: goTests,
  ...goTest(
    ["nftables", "tcx", "xdp"].map((engine) => `./internal/balancer/datapath/${engine}`),
    (packages) => ({
      args: ["test", "-vet=off", "-json", "-count=1", "-p=3", `-run=${otherDeliveries.join("|")}`, ...packages],
      count: readGo,
    }),
  ),
};

export const fuzzTests: readonly Suite[] = [
  fuzz("fuzzing of BGP messages", "FuzzUpdate", "./internal/bgp/gobgp", 40_000),
  fuzz("fuzzing of TLS client hellos", "FuzzParse", "./internal/hello", 150_000),
  fuzz("fuzzing of SYN cookies", "FuzzCheck", "./internal/session/cookie", 300_000),
  fuzz("fuzzing of hellos in parts", "FuzzNormal", "./internal/session/replica", 60_000),
];

/** Tests that the race detector makes too slow, and those with limits of time. */
export const timedGoTests: Suite = {
  name: "Go tests that measure time",
  load: "alone",
  needs: goTests,
  ...goTest(["./internal/balancer/...", "./internal/bench/...", "./internal/adaptive/..."], (packages) => ({
    args: [
      ...["test", "-json", "-p=1", "-count=1"],
      `-run=${[...ofOneGoroutine, ...ofAllCores, ...ofLimitedTime].join("|")}`,
      ...packages,
    ],
    count: readGo,
  })),
};

/** fuzz tries this many inputs. Without its own limit, Go spends a minute to shorten the first interesting one. */
function fuzz(name: string, target: string, folder: string, inputs: number): Suite {
  return {
    name,
    load: "computes",
    needs: goTests,
    ...goTest([folder], ([only = folder]) => ({
      args: [
        ...["test", "-run=^$", `-fuzz=^${target}$`, `-fuzztime=${inputs}x`, "-fuzzminimizetime=20x", "-parallel=1"],
        only,
      ],
    })),
  };
}

function goTest(
  packages: readonly string[],
  command: (packages: readonly string[]) => Omit<Command, "program" | "cwd">,
): Pick<Suite, "command" | "reads"> {
  const only = (affected: readonly string[]): Command => ({ ...command(affected), program: "go", cwd: "agents" });
  return { command: only(packages), reads: { packages, only } };
}
