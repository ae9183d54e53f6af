import { catalogue, type Part } from "../../bench/catalogue.ts";
import { go, kubelets } from "../needs/suite-needs.ts";
import type { Counter } from "../reports/test-result.ts";
import type { Suite } from "../suite.ts";
import { productBuilds } from "./turbo.ts";

/** listBenchSuites returns the smoke form of every benchmark: that it runs and writes its result, without bars. */
export function listBenchSuites(): Suite[] {
  return Object.entries(catalogue).map(([name, parts]): Suite => {
    const uses = (part: Part) => parts.includes(part);
    return {
      name: `benchmark ${name}, smoke`,
      load: "computes",
      after: productBuilds,
      limitMinutes: 5,
      needs: uses("kubelets") ? kubelets : uses("go") ? [go] : [],
      inBrowser: uses("chromium"),
      ...(uses("kubernetes") ? { kubernetes: "control plane" as const } : {}),
      ...(uses("kubelets") ? { kubernetes: "nodes" as const } : {}),
      command: { program: "node", args: ["tools/bench/main.ts", name, "--smoke"], count: countSmoke(name) },
      reads: {
        entries: [`tools/bench/${name}/run.ts`, "tools/bench/main.ts"],
        ...(uses("go") ? { packages: ["./internal/bench/..."] } : {}),
      },
    };
  });
}

/** A benchmark that this user can't run exits with 0 and gives its reason. */
function countSmoke(name: string): Counter {
  return (output) => {
    if (!/^0 passed, 0 failed, 1 skipped$/m.test(output)) return null;
    const [reason = ""] = output.trim().split("\n");
    return [{ name, place: "tools/bench", outcome: "skipped", ms: 0, reason }];
  };
}
