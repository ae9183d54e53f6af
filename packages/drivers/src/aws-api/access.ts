import { Agent } from "node:https";
import { type CloudCredentials, endpointProblem } from "@fairlead/domain";
import { CloudRefused } from "./cloud-refused.ts";
import { explainError } from "./explain-error.ts";
import { LeadsInside, publicLookup } from "./public-lookup.ts";

// The SDK waits between attempts, ever longer, when AWS is busy or asks to slow down.
const attempts = 3;
const connectMs = 3_000;
const answerMs = 10_000;

export type AwsService = {
  /** As "an EC2 API". */
  title: string;
  /** What its permissions begin with, as ec2 in ec2:DescribeVpcs. */
  prefix: string;
};

export type AwsPlace = { region: string; endpoint: string | null };

/** AwsAccess asks one service of one region, with one cluster's key and never with one of this machine. */
export type AwsAccess = {
  /** What the service's client of the SDK is made with. */
  settings: ReturnType<typeof settingsOf>;
  /** ask names what the key must be allowed, for whoever has to mend that. */
  ask: <Output>(action: string, signal: AbortSignal, send: () => Promise<Output>) => Promise<Output>;
};

/** openAccess is the way to a service that all of our clients take. allowed are endpoints that need not be public. */
export function openAccess(
  { title, prefix }: AwsService,
  { region, endpoint }: AwsPlace,
  credentials: CloudCredentials,
  allowed: readonly string[],
): AwsAccess {
  const problem = endpoint === null ? "" : endpointProblem(endpoint, allowed);
  const isAnybodys = endpoint !== null && !allowed.includes(URL.parse(endpoint)?.origin ?? "");
  return {
    settings: settingsOf({ region, endpoint }, credentials, isAnybodys),
    async ask(action, signal, send) {
      signal.throwIfAborted();
      if (problem) throw new CloudRefused(`the endpoint ${endpoint} is not asked: ${problem}`);
      try {
        return await send();
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof LeadsInside)
          throw new CloudRefused(`the endpoint ${endpoint} is not asked: its name leads to no address on the Internet`);
        throw explainError(error, { action, permission: `${prefix}:${action}`, title, region, endpoint, credentials });
      }
    },
  };
}

function settingsOf({ region, endpoint }: AwsPlace, credentials: CloudCredentials, isAnybodys: boolean) {
  return {
    region,
    ...(endpoint === null ? {} : { endpoint }),
    // A copy: the SDK writes into what it is given.
    credentials: { ...credentials },
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      ...(isAnybodys ? { httpsAgent: new Agent({ keepAlive: true, lookup: publicLookup }) } : {}),
    },
  };
}
