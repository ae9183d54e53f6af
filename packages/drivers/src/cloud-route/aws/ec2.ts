import { EC2Client, type ServiceInputTypes, type ServiceOutputTypes } from "@aws-sdk/client-ec2";
import type { CloudCredentials, CloudRoute } from "@fairlead/domain/cloud";
import { openAccess } from "../../aws-api/access.ts";
import { limitAnswers } from "../../aws-api/limit-answers.ts";

type Command<Input extends ServiceInputTypes, Output extends ServiceOutputTypes> = Parameters<
  typeof EC2Client.prototype.send<Input, Output>
>[0];

/** Ec2 calls the API of one region with one cluster's key. */
export type Ec2 = {
  /** ask runs one command. An error names the missing permission. */
  ask: <Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
    command: Command<Input, Output>,
    action: string,
  ) => Promise<Output>;
};

export type OpenEc2 = { during: (signal: AbortSignal) => Ec2; close: () => void };

/** openEc2 creates one client for all calls, with persistent connections. allowed are endpoints that need not be public. */
export function openEc2(
  { region, endpoint }: CloudRoute,
  credentials: CloudCredentials,
  allowed: readonly string[],
): OpenEc2 {
  const access = openAccess({ title: "an EC2 API", prefix: "ec2" }, { region, endpoint }, credentials, allowed);
  const client = new EC2Client(access.settings);
  limitAnswers(client);
  return {
    during: (signal) => ({
      ask: (command, action) => access.ask(action, signal, (options) => client.send(command, options)),
    }),
    close: () => client.destroy(),
  };
}
