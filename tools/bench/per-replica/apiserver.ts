import type { ControlPlane } from "@fairlead/drivers/kubernetes-testing";

/** Requests counts the apiserver's requests from service accounts, which only the product uses. */
export type Requests = { answered: number; turnedAway: number };

const flow = /flow_schema="(?:service-accounts|bench)"/;

/** readRequests returns the numbers of accepted and of rejected (429) requests. */
export async function readRequests(control: ControlPlane): Promise<Requests> {
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

/** narrow makes the apiserver accept few concurrent requests of a namespace's accounts and reject all others. */
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
