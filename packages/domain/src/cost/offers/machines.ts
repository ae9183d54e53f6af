import type { Provider } from "../prices/providers.ts";
import type { Known } from "./engines.ts";

/**
 * Machine is a size of machine. cores is the sustained number: for a burstable size its baseline share, which isn't verified.
 * mbps is the sustained network throughput, not bursts; null if it isn't published.
 */
export type Machine = { sku: string; name?: string; cores: number; mbps: Known | null };

const ec2 = "https://docs.aws.amazon.com/ec2/latest/instancetypes/ (baseline bandwidth, 2026-08-18)";
const gce = "not verified: egress limit by machine type";

function sizes(table: Record<string, [cores: number, mbps: number | null]>, basis: Known["basis"], source: string) {
  return Object.entries(table).map(
    ([sku, [cores, limit]]): Machine => ({ sku, cores, mbps: limit === null ? null : { limit, basis, source } }),
  );
}

/** The sizes of each provider to compare; empty if none are known. Those of own machines are in the price book. */
export const machines: Record<Provider, readonly Machine[]> = {
  aws: sizes(
    {
      "t3.micro": [0.2, 64],
      "t3.small": [0.4, 128],
      "t3.medium": [0.4, 256],
      "t3.large": [0.6, 512],
      "t4g.micro": [0.2, 64],
      "t4g.small": [0.4, 128],
      "t4g.medium": [0.4, 256],
      "t4g.large": [0.6, 512],
      "c5.large": [2, 750],
      "c5.xlarge": [4, 1_250],
      "c5n.large": [2, 3_000],
      "c5n.xlarge": [4, 5_000],
      "c6i.large": [2, 781],
      "c6i.xlarge": [4, 1_562],
      "c6i.2xlarge": [8, 3_125],
      "c6in.large": [2, 3_125],
      "c6in.xlarge": [4, 6_250],
      "c6gn.medium": [1, 1_600],
      "c6gn.large": [2, 3_000],
      "c7g.medium": [1, 520],
      "c7g.large": [2, 937],
      "c7g.xlarge": [4, 1_876],
      "c7gn.large": [2, 6_250],
      "c7gn.xlarge": [4, 12_500],
      "c7i.large": [2, 781],
      "c8g.large": [2, 937],
    },
    "published",
    ec2,
  ),
  gcp: sizes(
    {
      "e2-micro": [0.25, null],
      "e2-small": [0.5, null],
      "e2-medium": [1, 2_000],
      "e2-standard-2": [2, 4_000],
      "e2-standard-4": [4, 8_000],
      "n2-standard-2": [2, 10_000],
      "n2-standard-4": [4, 10_000],
      "n2-highcpu-4": [4, null],
      "c3-highcpu-4": [4, null],
      "c4-standard-2": [2, null],
      "n4-standard-2": [2, null],
      "t2d-standard-2": [2, null],
    },
    "assumed",
    gce,
  ),
  azure: sizes(
    {
      Standard_B1s: [0.1, null],
      Standard_B2s: [0.4, null],
      Standard_B2ls_v2: [0.6, null],
      Standard_B2als_v2: [0.6, null],
      Standard_B2s_v2: [0.8, null],
      Standard_D2s_v3: [2, null],
      Standard_D2s_v5: [2, null],
      Standard_D4s_v5: [4, null],
      Standard_D2as_v5: [2, null],
      Standard_F2s_v2: [2, null],
      Standard_F4s_v2: [4, null],
      Standard_D2pls_v5: [2, null],
    },
    "assumed",
    "not published",
  ),
  hetzner: sizes(
    {
      cx22: [2, 1_000],
      cx32: [4, 1_000],
      cpx11: [2, 1_000],
      cpx21: [3, 1_000],
      cax11: [2, 1_000],
      cax21: [4, 1_000],
      ccx13: [2, 1_000],
      ccx23: [4, 1_000],
    },
    "assumed",
    "a tenth of the 10 Gbit/s that the machines of a host share",
  ),
  oracle: [],
  digitalocean: [],
  linode: [],
  scaleway: [],
  ovh: [],
  alibaba: [],
  bunny: [],
  own: [],
};

/** isBurstable: its cores above the baseline, and often its network, are only available for a time. */
export function isBurstable({ sku }: Machine): boolean {
  return /^(t\dg?\.|e2-(micro|small|medium)$|Standard_B)/.test(sku);
}

/** machineSkus lists the sizes of a provider to compare. */
export function machineSkus(provider: Provider): string[] {
  return machines[provider].map(({ sku }) => sku);
}
