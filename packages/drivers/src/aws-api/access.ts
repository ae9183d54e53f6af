import { Agent } from "node:https";
import { isPublicAddress } from "@fairlead/domain/address";
import { type CloudCredentials, endpointProblem } from "@fairlead/domain/cloud";
import { NotPublic, publicLookup } from "@fairlead/http";
import { CloudRefused } from "./cloud-refused.ts";
import { explainError } from "./explain-error.ts";

// The SDK waits between attempts, with increasing delays, when AWS is busy or throttles.
const attempts = 3;
const connectMs = 3_000;
const answerMs = 10_000;
/** For all attempts and the delays between them. The SDK limits neither the time for a body nor the sum of its delays. */
const wholeMs = 60_000;

export type AwsService = {
  /** As "an EC2 API". */
  title: string;
  /** Prefix of its permissions, such as ec2 in ec2:DescribeVpcs. */
  prefix: string;
};

export type AwsPlace = { region: string; endpoint: string | null };

/** AwsAccess calls one service in one region with a cluster's key, and never with credentials of this machine. */
export type AwsAccess = {
  /** The settings for the SDK's client of the service. */
  settings: ReturnType<typeof settingsOf>;
  /** ask runs one call. An error names the missing permission. send must end when its signal aborts. */
  ask: <Output>(
    action: string,
    signal: AbortSignal,
    send: (options: { abortSignal: AbortSignal }) => Promise<Output>,
  ) => Promise<Output>;
};

/** openAccess opens a service; all AWS clients use it. allowed are endpoints that need not be public. */
export function openAccess(
  { title, prefix }: AwsService,
  { region, endpoint }: AwsPlace,
  credentials: CloudCredentials,
  allowed: readonly string[],
  limitMs = wholeMs,
): AwsAccess {
  const problem = endpoint === null ? "" : endpointProblem(endpoint, allowed);
  const mustBePublic = endpoint !== null && !allowed.includes(URL.parse(endpoint)?.origin ?? "");
  return {
    settings: settingsOf({ region, endpoint }, credentials, mustBePublic),
    async ask(action, signal, send) {
      signal.throwIfAborted();
      if (problem) throw new CloudRefused(`the endpoint ${endpoint} is not used: ${problem}`);
      const late = AbortSignal.timeout(limitMs);
      try {
        return await send({ abortSignal: AbortSignal.any([signal, late]) });
      } catch (thrown) {
        signal.throwIfAborted();
        const error: unknown = late.aborted ? late.reason : thrown;
        if (error instanceof NotPublic)
          throw new CloudRefused(`the endpoint ${endpoint} is not used: its name resolves to no public address`);
        throw explainError(error, { action, permission: `${prefix}:${action}`, title, region, endpoint, credentials });
      }
    },
  };
}

function settingsOf({ region, endpoint }: AwsPlace, credentials: CloudCredentials, mustBePublic: boolean) {
  return {
    region,
    ...(endpoint === null ? {} : { endpoint }),
    // A copy, because the SDK modifies it.
    credentials: { ...credentials },
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      ...(mustBePublic ? { httpsAgent: new Agent({ keepAlive: true, lookup: publicLookup(isPublicAddress) }) } : {}),
    },
  };
}
