import type { Cluster } from "@fairlead/domain/cluster";
import type { Provider } from "@fairlead/domain/cost";

/** RunsAsDraft holds the fields of the form: texts, shares in percent. */
export type RunsAsDraft = {
  provider: Provider;
  region: string;
  machine: string;
  machineShare: string;
  zones: string;
  responseShare: string;
  internetShare: string;
};

/** runsAsDraftOf starts with the current setting of a cluster. */
export function runsAsDraftOf({ runsAs, region }: Pick<Cluster, "runsAs" | "region">): RunsAsDraft {
  if (!runsAs)
    return {
      ...{ provider: "aws", region, machine: "", machineShare: "100", zones: "1" },
      ...{ responseShare: "", internetShare: "0" },
    };
  const { machineShare, responseShare, internetShare } = runsAs;
  return {
    provider: runsAs.provider,
    region: runsAs.region,
    machine: runsAs.machine ?? "",
    machineShare: percent(machineShare),
    zones: String(runsAs.zones),
    responseShare: responseShare === null ? "" : percent(responseShare),
    internetShare: percent(internetShare),
  };
}

/** runsAsSpecOf returns the spec for the schema to validate. */
export function runsAsSpecOf(draft: RunsAsDraft): object {
  const { machine, responseShare } = draft;
  return {
    provider: draft.provider,
    region: draft.region,
    machine: machine.trim() === "" ? null : machine,
    machineShare: numberOf(draft.machineShare) / 100,
    zones: numberOf(draft.zones),
    responseShare: responseShare.trim() === "" ? null : numberOf(responseShare) / 100,
    internetShare: numberOf(draft.internetShare) / 100,
  };
}

function numberOf(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text.trim().replace(",", "."));
}

function percent(share: number): string {
  return String(Number((share * 100).toPrecision(6)));
}
