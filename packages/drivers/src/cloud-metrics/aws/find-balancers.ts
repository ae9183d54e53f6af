import { DescribeLoadBalancersCommand as DescribeClassicCommand } from "@aws-sdk/client-elastic-load-balancing";
import { DescribeLoadBalancersCommand } from "@aws-sdk/client-elastic-load-balancing-v2";
import { PageLimit } from "@fairlead/http";
import type { BalancerProblem, FoundBalancer } from "../cloud-metrics.ts";
import type { Apis } from "./apis.ts";

const action = "DescribeLoadBalancers";
/** Pages of 400 each. No region has so many, so a longer response is not AWS's. */
const maxPages = 50;
const pageSize = 400;

/** What AWS has for a name: a supported balancer, or why it is not supported. */
type Known = Omit<FoundBalancer, "address"> | string;

/**
 * findBalancers searches a region's load balancers for these names. Newer types come first, so most searches need one call. That call
 * is also made without names, because it verifies a new key.
 */
export async function findBalancers(
  apis: Apis,
  region: string,
  addresses: readonly string[],
): Promise<{ found: FoundBalancer[]; problems: BalancerProblem[] }> {
  const wanted = new Set(addresses.map(plain));
  const known = new Map<string, Known>();
  await lookThrough(wanted, known, (marker) => newerPage(apis, marker));
  if (wanted.size > 0) await lookThrough(wanted, known, (marker) => classicPage(apis, marker));
  const found: FoundBalancer[] = [];
  const problems: BalancerProblem[] = [];
  for (const address of addresses) {
    const at = known.get(plain(address));
    if (typeof at === "object") found.push({ address, ...at });
    else
      problems.push({
        address,
        message:
          at ??
          `AWS has no load balancer of the name ${address} in ${region}: it was deleted, or is in another region or account`,
      });
  }
  return { found, problems };
}

type Page = { balancers: [name: string | undefined, known: Known][]; next: string | undefined };

/** lookThrough removes found names from the wanted ones, and ends when all are found. */
async function lookThrough(
  wanted: Set<string>,
  known: Map<string, Known>,
  page: (marker: string | undefined) => Promise<Page>,
): Promise<void> {
  const pages = new PageLimit(maxPages, `the answer to ${action}`);
  let marker: string | undefined;
  do {
    const { balancers, next } = await page(marker);
    for (const [name, at] of balancers)
      if (name !== undefined && wanted.delete(plain(name))) known.set(plain(name), at);
    if (next && wanted.size > 0) pages.next(next);
    marker = next;
  } while (marker && wanted.size > 0);
}

async function newerPage({ newer }: Apis, Marker: string | undefined): Promise<Page> {
  const answer = await newer(new DescribeLoadBalancersCommand({ Marker, PageSize: pageSize }), action);
  const balancers = (answer.LoadBalancers ?? []).map(({ DNSName, Type, LoadBalancerArn, CreatedTime }) => {
    const id = /:loadbalancer\/(net\/.+)$/.exec(LoadBalancerArn ?? "")?.[1];
    if (Type !== "network" || id === undefined) {
      const why = `it is of the type ${Type}, and only network and classic load balancers are supported`;
      return [DNSName, why] satisfies [unknown, Known];
    }
    const metrics = ["bothWaysBps", "connectionsLive", "connectionsNewPerSecond"] as const;
    return [DNSName, { kind: "network", id, metrics, since: CreatedTime ?? new Date(0) }] satisfies [unknown, Known];
  });
  return { balancers, next: answer.NextMarker };
}

async function classicPage({ classic }: Apis, Marker: string | undefined): Promise<Page> {
  const answer = await classic(new DescribeClassicCommand({ Marker, PageSize: pageSize }), action);
  const balancers = (answer.LoadBalancerDescriptions ?? []).map((each) => {
    const { DNSName, LoadBalancerName: id = "", CreatedTime } = each;
    const readsHttp = (each.ListenerDescriptions ?? []).some(({ Listener }) => /^HTTP/i.test(Listener?.Protocol ?? ""));
    const metrics = readsHttp ? (["bothWaysBps"] as const) : (["bothWaysBps", "connectionsNewPerSecond"] as const);
    return [DNSName, { kind: "classic", id, metrics, since: CreatedTime ?? new Date(0) }] satisfies [unknown, Known];
  });
  return { balancers, next: answer.NextMarker };
}

/** plain normalises a name for comparison: DNS ignores case, and dualstack. names the same balancer. */
function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/^dualstack\./, "");
}
