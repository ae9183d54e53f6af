import type { CloudCredentials } from "@fairlead/domain";
import { CloudRefused } from "./cloud-refused.ts";

const longest = 300;

/** What somebody has to change, in words that name the cure. */
const refusals: Record<string, string> = {
  AuthFailure: "doesn't know the access key; set a valid one",
  InvalidClientTokenId: "doesn't know the access key; set a valid one",
  UnrecognizedClientException: "doesn't know the access key; set a valid one",
  MissingAuthenticationToken: "finds no access key in what we ask; set one anew",
  IncompleteSignature: "can't read how we sign; set access key and secret anew",
  SignatureDoesNotMatch: "finds that the secret doesn't belong to the access key; set both anew",
  InvalidSignatureException: "finds that the secret doesn't belong to the access key; set both anew",
  ExpiredToken: "finds the access key expired; set a valid one",
  ExpiredTokenException: "finds the access key expired; set a valid one",
  RequestExpired: "finds our clock wrong; set the clock of the controller's machine right",
  RequestInTheFuture: "finds our clock wrong; set the clock of the controller's machine right",
  RequestTimeTooSkewed: "finds our clock wrong; set the clock of the controller's machine right",
  OptInRequired: "says that the account isn't signed up for this region; enable it there",
  PendingVerification: "is still verifying the account; wait, or ask AWS",
  Blocked: "has blocked the account; ask AWS",
  UnauthorizedOperation: "doesn't let the access key do {permission}; allow it in the key's policy",
  AccessDenied: "doesn't let the access key do {permission}; allow it in the key's policy",
  AccessDeniedException: "doesn't let the access key do {permission}; allow it in the key's policy",
  RouteLimitExceeded:
    "has no room for another entry in the route table; have its quota raised, or take the method secondary-address",
  PrivateIpAddressLimitExceeded:
    "has no room for another address on the network interface; spread the balancers, or take larger machines",
  TagLimitExceeded: "has no room for another tag on the network interface; take one of others away",
  AttachmentLimitExceeded: "has no room for another network interface on the machine",
  "InvalidRouteTableID.NotFound": "has no such route table any more; name those that are there in the settings",
  "InvalidNetworkInterfaceID.NotFound": "has no such network interface any more; the replica's machine is gone",
  "InvalidAllocationID.NotFound": "has no such Elastic IP any more; name one that is there in the settings",
  "InvalidVpcID.NotFound": "has no such VPC; name the one where balancers are in the settings",
  RouteAlreadyExists: "has an entry for the address that somebody has just made; it is looked at again",
  "Resource.AlreadyAssociated":
    "has the Elastic IP lead elsewhere, which somebody has just made; it is looked at again",
  "InvalidIPAddress.InUse": "has the address on another network interface, which somebody has just made so",
};

/** What is over by itself: to be tried again. */
const weather: Record<string, string> = {
  RequestLimitExceeded: "asks to slow down at {action}",
  Throttling: "asks to slow down at {action}",
  ThrottlingException: "asks to slow down at {action}",
  RequestThrottled: "asks to slow down at {action}",
  InternalError: "fails at {action}",
  InternalFailure: "fails at {action}",
  ServiceUnavailable: "fails at {action}",
  Unavailable: "fails at {action}",
  "InvalidRoute.NotFound": "has changed meanwhile, at {action}",
  "InvalidAssociationID.NotFound": "has changed meanwhile, at {action}",
  IncorrectState: "is still busy with the same thing, at {action}",
};

/** Why a server can't be reached, by the code that the system has for it. */
const ways: Record<string, string> = {
  ENOTFOUND: "nobody knows its name",
  EAI_AGAIN: "its name can't be asked for now",
  ECONNREFUSED: "nobody listens there",
  ECONNRESET: "it ended the connection",
  EHOSTUNREACH: "no way leads there",
  ENETUNREACH: "no way leads there",
  ETIMEDOUT: "it doesn't answer in time",
  EPIPE: "it ended the connection",
};

export type Asked = {
  action: string;
  /** What the key must be allowed for it, as ec2:CreateRoute. */
  permission: string;
  /** Of the API, as "an EC2 API". */
  title: string;
  region: string;
  /** null for AWS itself. Only its words are ever repeated: another server could have us tell what only we can read. */
  endpoint: string | null;
  credentials: CloudCredentials;
};

/** explainError says what AWS answered in words that name the cure: CloudRefused for what somebody has to change. */
export function explainError(error: unknown, asked: Asked): Error {
  const { name } = error instanceof Error ? error : new Error(String(error));
  const where = asked.endpoint === null ? `AWS in ${asked.region}` : `the endpoint ${hostOf(asked.endpoint)}`;
  const say = (words: string) =>
    `${where} ${words.replace("{action}", asked.action).replace("{permission}", asked.permission)} (${name})`;
  // Without the original, which holds the request.
  const refusal = Object.hasOwn(refusals, name) ? refusals[name] : undefined;
  if (refusal) return new CloudRefused(say(refusal));
  const passing = Object.hasOwn(weather, name) ? weather[name] : undefined;
  if (passing) return new Error(say(passing));
  const status = statusOf(error);
  if (status === null) return new Error(`${where} can't be reached for ${asked.action}: ${wayOf(error)}`);
  if (status < 300) return new Error(`${where} answers ${asked.action} with what ${asked.title} doesn't say`);
  const said = saidOf(error, asked);
  if (status >= 300 && status < 500)
    return new CloudRefused(`${where} refuses ${asked.action} with status ${status}${said}`);
  return new Error(`${where} fails at ${asked.action} with status ${status}${said}`);
}

/** Whatever AWS says of a request, the key isn't in it when we repeat that. */
function saidOf(error: unknown, { endpoint, credentials }: Asked): string {
  if (endpoint !== null || !(error instanceof Error)) return "";
  return `: ${redact(error.message, credentials).slice(0, longest)} (${redact(error.name, credentials).slice(0, longest)})`;
}

const hidden = "[hidden]";
// Ids of any keys, and what is said of signatures and tokens.
const keyLike =
  /\b(?:A3T[A-Z0-9]|ABIA|ACCA|AGPA|AIDA|AKIA|ANPA|AROA|ASCA|ASIA)[A-Z0-9]{12,}\b|\b(?:Credential|Signature|Security-Token|SecurityToken|SessionToken)=[^\s,&'"]*/gi;

/** redact takes a key out of a text, however much of it is repeated there. */
export function redact(text: string, { accessKeyId, secretAccessKey }: CloudCredentials): string {
  const spelled = [secretAccessKey, accessKeyId].flatMap((each) => [
    each,
    encodeURIComponent(each),
    Buffer.from(each).toString("base64"),
  ]);
  return spelled.reduce((rest, each) => rest.replaceAll(each, hidden), text).replace(keyLike, hidden);
}

function wayOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  const way = Object.hasOwn(ways, code) ? ways[code] : undefined;
  if (way) return `${way} (${code})`;
  if (/^(ERR_TLS|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|EPROTO|ERR_SSL)/.test(code))
    return `its certificate can't be trusted (${code})`;
  if (error instanceof Error && error.name === "TimeoutError") return "it doesn't answer in time";
  return "the connection fails";
}

function hostOf(endpoint: string): string {
  return URL.parse(endpoint)?.host ?? "";
}

function statusOf(error: unknown): number | null {
  if (typeof error !== "object" || error === null || !("$metadata" in error)) return null;
  const metadata = error.$metadata;
  if (typeof metadata !== "object" || metadata === null || !("httpStatusCode" in metadata)) return null;
  return typeof metadata.httpStatusCode === "number" ? metadata.httpStatusCode : null;
}
