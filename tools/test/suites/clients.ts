import { clients } from "../needs/suite-needs.ts";
import type { Counter, TestResult } from "../reports/test-result.ts";
import type { Suite } from "../suite.ts";
import { productBuilds } from "./turbo.ts";

/** clientsSuite generates clients of the REST API in other languages and runs them: each client is one test. */
export const clientsSuite: Suite = {
  name: "generated clients",
  load: "computes",
  after: productBuilds,
  needs: clients,
  verbose: true,
  command: { program: "node", args: ["tools/clients/main.ts"], count: countClients },
  reads: {
    entries: [
      "tools/clients/main.ts",
      "packages/api/src/**",
      "packages/launcher/src/start.ts",
      "apps/controller/src/main.ts",
      "apps/web/src/**",
    ],
  },
};

const outcomes = { "✓": "passed", "✗": "failed", "-": "skipped" } as const;

/** countClients reads the line of each client, such as `- Java: javac is missing`. */
export function countClients(output: string): ReturnType<Counter> {
  const lines = output.matchAll(/^(?<mark>[✓✗-]) (?<name>\w+)(?:: (?<reason>.*)| \(.*\))?(?<problems>(?:\n {2}.*)*)/gm);
  const tests = [...lines].map(({ groups = {} }): TestResult => {
    const reason = [groups.reason ?? "", groups.problems?.trim() ?? ""].filter(Boolean).join("\n");
    return {
      ...{ name: groups.name ?? "", place: "tools/clients", ms: 0 },
      outcome: outcomes[groups.mark as keyof typeof outcomes],
      ...(reason ? { reason } : {}),
    };
  });
  return tests.length > 0 ? tests : null;
}
