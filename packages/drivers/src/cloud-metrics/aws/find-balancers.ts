import { DescribeLoadBalancersCommand as DescribeClassicCommand } from "@aws-sdk/client-elastic-load-balancing";
import { DescribeLoadBalancersCommand } from "@aws-sdk/client-elastic-load-balancing-v2";
import type { BalancerProblem, FoundBalancer } from "../cloud-metrics.ts";
import type { Apis } from "./apis.ts";

const action = "DescribeLoadBalancers";
/** Of 400 each. No region has so many, so an answer that goes on is none of AWS'. */
const mostPages = 50;
const pageSize = 400;

/** What AWS has by a name: a balancer whose metrics we know, or why it is none. */
type Known = Omit<FoundBalancer, "address"> | string;

/**
 * findBalancers looks through the balancers of a region for those with these names. The newer kinds come first, so most need one
 * call. That one is made for no names too: whoever has just set a key wants to know whether it is good.
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
          `AWS has no load balancer of the name ${address} in ${region}: it is gone, or in another region or account`,
      });
  }
  return { found, problems };
}

type Page = { balancers: [name: string | undefined, known: Known][]; next: string | undefined };

/** lookThrough takes what it finds out of what is wanted, and ends once all is found. */
async function lookThrough(
  wanted: Set<string>,
  known: Map<string, Known>,
  page: (marker: string | undefined) => Promise<Page>,
): Promise<void> {
  let marker: string | undefined;
  for (let pages = 0; pages < mostPages; pages++) {
    const { balancers, next } = await page(marker);
    for (const [name, at] of balancers)
      if (name !== undefined && wanted.delete(plain(name))) known.set(plain(name), at);
    if (!next || wanted.size === 0) return;
    marker = next;
  }
  throw new Error(`the answer to ${action} doesn't end`);
}

async function newerPage({ newer }: Apis, Marker: string | undefined): Promise<Page> {
  const answer = await newer(new DescribeLoadBalancersCommand({ Marker, PageSize: pageSize }), action);
  const balancers = (answer.LoadBalancers ?? []).map(({ DNSName, Type, LoadBalancerArn, CreatedTime }) => {
    const id = /:loadbalancer\/(net\/.+)$/.exec(LoadBalancerArn ?? "")?.[1];
    if (Type !== "network" || id === undefined) {
      const why = `it is of the type ${Type}, and only those of network and classic balancers are read`;
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

/** plain is a name as it is compared: DNS knows no capitals, and dualstack. leads to the same balancer. */
function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/^dualstack\./, "");
}
