import type { Cluster } from "@fairlead/domain/cluster";
import { expect, it } from "vitest";
import { checkDraft, withProblems } from "./check-draft.ts";
import { emptyDraft } from "./draft.ts";
import { findAddressing, findLacks, findSecretProblem } from "./find-lacks.ts";
import { stillNeeded } from "./still-needed.ts";

const clusterOf = (kind: Cluster["kind"]) => ({ name: "berlin", kind, kubernetes: null }) as Cluster;
const attached = { ...clusterOf("kubernetes"), kubernetes: {} } as Cluster;
const chosen = {
  strategy: "per-replica",
  addressing: "dedicated",
  session: { names: "learned", software: "nginx", secret: "" },
} as const;
const managed = { ...chosen, strategy: "session", session: { ...chosen.session, names: "managed" } } as const;
const ofHAProxy = { ...managed, session: { ...managed.session, software: "haproxy" } } as const;
const inSecret = { ...managed, session: { ...managed.session, secret: "shop-tickets" } } as const;

it.each([
  ["a cluster where nothing can be created", chosen, clusterOf("machines"), ["clusterId"]],
  ["a cluster that isn't attached", chosen, clusterOf("kubernetes"), ["clusterId"]],
  ["a strategy without a driver", { ...chosen, strategy: "cloud" }, clusterOf("lab"), ["strategy.type"]],
  ["an addressing that the cluster can't have", chosen, clusterOf("lab"), ["strategy.addressing"]],
  ["an addressing that isn't used", { ...chosen, strategy: "ecmp" }, clusterOf("lab"), []],
  ["software whose keys don't reach pods", ofHAProxy, attached, ["strategy.ticketKeys.software"]],
  ["software that isn't used", { ...ofHAProxy, strategy: "ecmp" }, attached, []],
  ["software in a lab", ofHAProxy, clusterOf("lab"), []],
  ["nothing", chosen, attached, []],
] as const)("reports %s at its field", (_, draft, cluster, paths) => {
  expect(Object.keys(findLacks(draft, cluster))).toEqual(paths);
});

it.each([
  ["no Secret for pods", managed, attached, /^Enter the name/],
  ["a Secret without pods", inSecret, clusterOf("lab"), /^Leave it empty/],
  ["a Secret for pods", inSecret, attached, /^$/],
  ["no Secret without pods", managed, clusterOf("lab"), /^$/],
  ["no Secret for learned names", { ...managed, session: chosen.session }, attached, /^$/],
] as const)("reports %s", (_, draft, cluster, want) => {
  expect(findSecretProblem(draft, cluster)["strategy.ticketKeys.secret"] ?? "").toMatch(want);
});

it.each([
  ["the default in a cluster that can't have it", chosen, clusterOf("lab"), "shared-sni"],
  ["a suitable one", chosen, attached, null],
  ["one that isn't used", { ...chosen, strategy: "ecmp" }, clusterOf("lab"), null],
  ["any in a cluster that can have none", chosen, clusterOf("machines"), null],
] as const)("replaces %s", (_, draft, cluster, want) => {
  expect(findAddressing(draft, cluster)).toBe(want);
});

it("makes a draft incomplete", () => {
  const draft = { ...emptyDraft("clu_1"), strategy: "cloud" as const };
  const { problems } = withProblems(checkDraft(draft), findLacks(draft, clusterOf("lab")));
  expect(stillNeeded(problems ?? {})).toContain("a strategy that the cluster supports");
  const whole = { spec: null, problems: { name: "Enter a name." } };
  expect(withProblems(whole, {})).toBe(whole);
});
