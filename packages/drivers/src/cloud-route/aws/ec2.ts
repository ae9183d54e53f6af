import { EC2Client, type ServiceInputTypes, type ServiceOutputTypes } from "@aws-sdk/client-ec2";
import type { CloudCredentials, CloudRoute } from "@fairlead/domain";
import { explainError } from "./explain-error.ts";

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

/** openEc2 makes one client for all calls, whose connections are kept. */
export function openEc2({ region, endpoint }: CloudRoute, credentials: CloudCredentials): OpenEc2 {
  const client = new EC2Client({
    region,
    ...(endpoint === null ? {} : { endpoint }),
    // A copy: the SDK writes into what it is given.
    credentials: { ...credentials },
    maxAttempts: attempts,
    requestHandler: { connectionTimeout: connectMs, requestTimeout: answerMs, throwOnRequestTimeout: true },
  });
  return (signal) => ({
    async ask(command, action) {
      signal.throwIfAborted();
      try {
        return await client.send(command, { abortSignal: signal });
      } catch (error) {
        signal.throwIfAborted();
        throw explainError(error, action, region);
      }
    },
  });
}
