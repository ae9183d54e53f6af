import type { ControlPlane } from "@fairlead/drivers/kubernetes-testing";

/** Asked is what an apiserver counts of those who come with an account of its own, and that is the product alone. */
export type Asked = { answered: number; turnedAway: number };

const flow = /flow_schema="(?:service-accounts|bench)"/;

/** readAsked reads how many requests it let in, and how many it turned away because there were too many (429). */
export async function readAsked(control: ControlPlane): Promise<Asked> {
  const lines = (await control.api.get<string>("/metrics")).split("\n").filter((line) => flow.test(line));
  const sum = (metric: string) =>
    lines
      .filter((line) => line.startsWith(`${metric}{`))
      .reduce((total, line) => total + Number(line.slice(line.lastIndexOf(" "))), 0);
  return {
    answered: sum("apiserver_flowcontrol_dispatched_requests_total"),
    turnedAway: sum("apiserver_flowcontrol_rejected_requests_total"),
  };
}

/** narrow has the apiserver let in few requests at once of a namespace's accounts, and turn away all others at once. */
export async function narrow(control: ControlPlane, namespace: string): Promise<() => Promise<void>> {
  const path = "/apis/flowcontrol.apiserver.k8s.io/v1";
  await control.api.create(`${path}/prioritylevelconfigurations`, {
    metadata: { name: "bench" },
    spec: {
      type: "Limited",
      limited: {
        nominalConcurrencyShares: 1,
        lendablePercent: 0,
        borrowingLimitPercent: 0,
        limitResponse: { type: "Reject" },
      },
    },
  });
  await control.api.create(`${path}/flowschemas`, {
    metadata: { name: "bench" },
    spec: {
      matchingPrecedence: 500,
      priorityLevelConfiguration: { name: "bench" },
      distinguisherMethod: { type: "ByUser" },
      rules: [
        {
          subjects: [{ kind: "Group", group: { name: `system:serviceaccounts:${namespace}` } }],
          resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] }],
        },
      ],
    },
  });
  return async () => {
    await control.api.delete(`${path}/flowschemas/bench`);
    await control.api.delete(`${path}/prioritylevelconfigurations/bench`);
  };
}
