import type { Cluster, Provider } from "@fairlead/domain";

/** RunsAsDraft is what stands in the form: texts, shares in percent. */
export type RunsAsDraft = {
  provider: Provider;
  region: string;
  machine: string;
  machineShare: string;
  zones: string;
  responseShare: string;
  internetShare: string;
};

/** runsAsDraftOf begins with what is known of a cluster already. */
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

/** runsAsWishOf is what the form asks for, to be checked by the schema. */
export function runsAsWishOf(draft: RunsAsDraft): object {
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
