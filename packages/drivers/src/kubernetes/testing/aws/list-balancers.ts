import { credentials, region } from "./test-machines.ts";

export type AwsBalancer = { hostname: string; scheme: string; kind: string; vpcId: string };

/** listBalancers returns the emulator's network balancers, by the only request of their API that tests need. */
export async function listBalancers(endpoint: string): Promise<AwsBalancer[]> {
  const scope = `${credentials.accessKeyId}/20260101/${region}/elasticloadbalancing/aws4_request`;
  const response = await fetch(endpoint, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      // The emulator reads the account and region, and doesn't check the signature.
      authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=none`,
    },
    body: new URLSearchParams({ Action: "DescribeLoadBalancers", Version: "2015-12-01" }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the emulator returned no balancers (${response.status}): ${text.slice(0, 500)}`);
  const field = (part: string, name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(part)?.[1] ?? "";
  return text
    .split("<LoadBalancerArn>")
    .slice(1)
    .map((part) => ({
      hostname: field(part, "DNSName"),
      scheme: field(part, "Scheme"),
      kind: field(part, "Type"),
      vpcId: field(part, "VpcId"),
    }));
}
