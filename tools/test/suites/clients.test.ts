import { expect, it } from "vitest";
import { countClients } from "./clients.ts";

it("counts each generated client as a test, with the reason why it failed or was skipped", () => {
  const output = [
    "• Starting PostgreSQL",
    "✓ Python (12 s)",
    "✗ Go (40 s)",
    "  cluster.list: no request",
    "  cluster.get: no request",
    "- Java: javac is missing",
    "",
    "1 passed, 1 failed, 1 skipped",
  ].join("\n");
  const place = { place: "tools/clients", ms: 0 };
  expect(countClients(output)).toEqual([
    { ...place, name: "Python", outcome: "passed" },
    { ...place, name: "Go", outcome: "failed", reason: "cluster.list: no request\n  cluster.get: no request" },
    { ...place, name: "Java", outcome: "skipped", reason: "javac is missing" },
  ]);
  expect(countClients("Error: the product did not start")).toBeNull();
});
