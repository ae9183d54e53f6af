import { CloudRefused } from "../cloud-route.ts";

const longest = 300;

/** Its words may tell of the request, and so of the key; ours say what to do. */
const refusals: Record<string, string> = {
  AuthFailure: "doesn't know the access key; set a valid one",
  InvalidClientTokenId: "doesn't know the access key; set a valid one",
  SignatureDoesNotMatch: "finds that the secret doesn't belong to the access key; set both anew",
  ExpiredToken: "finds the access key expired; set a valid one",
  RequestExpired: "finds our clock wrong, or the access key expired; compare the controller's clock",
  OptInRequired: "says that the account isn't signed up for this region; enable it there",
  PendingVerification: "is still verifying the account",
};

const slowdowns = new Set(["RequestLimitExceeded", "Throttling", "ThrottlingException", "RequestThrottled"]);
const failsOfAws = new Set(["InternalError", "InternalFailure", "ServiceUnavailable", "Unavailable"]);

/** explainError says what AWS answered in words that name the cure: CloudRefused for what somebody has to change. */
export function explainError(error: unknown, action: string, region: string): Error {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const where = `AWS in ${region}`;
  // Without the original, which holds the request.
  if (name === "UnauthorizedOperation")
    return new CloudRefused(
      `${where} doesn't let the access key do ec2:${action}; allow it in the key's policy (${name})`,
    );
  const refusal = refusals[name];
  if (refusal) return new CloudRefused(`${where} ${refusal} (${name})`);
  if (slowdowns.has(name)) return new Error(`${where} asks to slow down at ${action} (${name})`);
  if (failsOfAws.has(name)) return new Error(`${where} fails at ${action} (${name})`);
  const status = statusOf(error);
  const said = message.slice(0, longest);
  if (status !== null && status >= 400 && status < 500)
    return new CloudRefused(`${where} refuses ${action}: ${said} (${name})`);
  return new Error(`${where} can't be reached for ${action}: ${said} (${name})`);
}

function statusOf(error: unknown): number | null {
  if (typeof error !== "object" || error === null || !("$metadata" in error)) return null;
  const metadata = error.$metadata;
  if (typeof metadata !== "object" || metadata === null || !("httpStatusCode" in metadata)) return null;
  return typeof metadata.httpStatusCode === "number" ? metadata.httpStatusCode : null;
}
