import { Agent } from "node:https";
import { EC2Client, type ServiceInputTypes, type ServiceOutputTypes } from "@aws-sdk/client-ec2";
import { type CloudCredentials, type CloudRoute, endpointProblem } from "@fairlead/domain";
import { CloudRefused } from "../cloud-route.ts";
import { explainError } from "./explain-error.ts";
import { limitAnswers } from "./limit-answers.ts";
import { LeadsInside, publicLookup } from "./public-lookup.ts";

// The SDK waits between attempts, ever longer, when AWS is busy or asks to slow down.
const attempts = 3;
const connectMs = 3_000;
const answerMs = 10_000;

type Command<Input extends ServiceInputTypes, Output extends ServiceOutputTypes> = Parameters<
  typeof EC2Client.prototype.send<Input, Output>
>[0];

/** Ec2 asks the API of one region, with one cluster's key and never with one of this machine. */
export type Ec2 = {
  /** ask names what the key must be allowed, for whoever has to mend that. */
  ask: <Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
    command: Command<Input, Output>,
    action: string,
  ) => Promise<Output>;
};

export type OpenEc2 = (signal: AbortSignal) => Ec2;

/** openEc2 makes one client for all calls, whose connections are kept. allowed are endpoints that need not be public. */
export function openEc2(
  { region, endpoint }: CloudRoute,
  credentials: CloudCredentials,
  allowed: readonly string[],
): OpenEc2 {
  const problem = endpoint === null ? "" : endpointProblem(endpoint, allowed);
  const isAnybodys = endpoint !== null && !allowed.includes(URL.parse(endpoint)?.origin ?? "");
  const client = new EC2Client({
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
  });
  limitAnswers(client);
  return (signal) => ({
    async ask(command, action) {
      signal.throwIfAborted();
      if (problem) throw new CloudRefused(`the endpoint ${endpoint} is not asked: ${problem}`);
      try {
        return await client.send(command, { abortSignal: signal });
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof LeadsInside)
          throw new CloudRefused(`the endpoint ${endpoint} is not asked: its name leads to no address on the Internet`);
        throw explainError(error, { action, region, endpoint, credentials });
      }
    },
  });
}
