import type { CloudCredentials } from "@fairlead/domain/cloud";
import { CloudRefused } from "./cloud-refused.ts";

const longest = 300;

/** Errors that an operator must fix, each with its fix. */
const refusals: Record<string, string> = {
  AuthFailure: "rejected the access key; set a valid one",
  InvalidClientTokenId: "rejected the access key; set a valid one",
  UnrecognizedClientException: "rejected the access key; set a valid one",
  MissingAuthenticationToken: "found no access key in the request; set one again",
  IncompleteSignature: "rejected the request signature; set access key and secret again",
  SignatureDoesNotMatch: "reports that the secret doesn't match the access key; set both again",
  InvalidSignatureException: "reports that the secret doesn't match the access key; set both again",
  ExpiredToken: "reports that the access key expired; set a valid one",
  ExpiredTokenException: "reports that the access key expired; set a valid one",
  RequestExpired: "reports that the clock of the controller's machine is wrong; correct it",
  RequestInTheFuture: "reports that the clock of the controller's machine is wrong; correct it",
  RequestTimeTooSkewed: "reports that the clock of the controller's machine is wrong; correct it",
  OptInRequired: "reports that the region isn't enabled for this account; enable it there",
  PendingVerification: "is still verifying the account; wait, or ask AWS",
  Blocked: "has blocked the account; ask AWS",
  UnauthorizedOperation: "denies the access key the permission {permission}; allow it in the key's policy",
  AccessDenied: "denies the access key the permission {permission}; allow it in the key's policy",
  AccessDeniedException: "denies the access key the permission {permission}; allow it in the key's policy",
  RouteLimitExceeded:
    "has reached the limit of entries in the route table; raise its quota, or use the method secondary-address",
  PrivateIpAddressLimitExceeded:
    "has reached the limit of addresses on the network interface; spread the balancers, or use larger machines",
  TagLimitExceeded: "has reached the limit of tags on the network interface; remove one of the others",
  AttachmentLimitExceeded: "has reached the limit of network interfaces on the machine",
  "InvalidRouteTableID.NotFound": "no longer has this route table; set existing ones in the settings",
  "InvalidNetworkInterfaceID.NotFound": "no longer has this network interface; the replica's machine was removed",
  "InvalidAllocationID.NotFound": "no longer has this Elastic IP; set an existing one in the settings",
  "InvalidVpcID.NotFound": "has no such VPC; set the VPC of the balancers in the settings",
  RouteAlreadyExists: "has a newly created entry for the address; it is checked again",
  "Resource.AlreadyAssociated": "has just associated the Elastic IP with something else; it is checked again",
  "InvalidIPAddress.InUse": "has just assigned the address to another network interface",
};

/** Temporary errors: to be retried. */
const temporary: Record<string, string> = {
  RequestLimitExceeded: "is throttling {action}",
  Throttling: "is throttling {action}",
  ThrottlingException: "is throttling {action}",
  RequestThrottled: "is throttling {action}",
  InternalError: "fails at {action}",
  InternalFailure: "fails at {action}",
  ServiceUnavailable: "fails at {action}",
  Unavailable: "fails at {action}",
  "InvalidRoute.NotFound": "has changed meanwhile, at {action}",
  "InvalidAssociationID.NotFound": "has changed meanwhile, at {action}",
  IncorrectState: "is still busy with an earlier change, at {action}",
};

/** Why a server can't be reached, by the system's error code. */
const ways: Record<string, string> = {
  ENOTFOUND: "its name can't be resolved",
  EAI_AGAIN: "its name can't be resolved for now",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "it closed the connection",
  EHOSTUNREACH: "there is no route to it",
  ENETUNREACH: "there is no route to it",
  ETIMEDOUT: "it doesn't respond in time",
  EPIPE: "it closed the connection",
};

export type AwsCall = {
  action: string;
  /** The permission that the key needs, such as ec2:CreateRoute. */
  permission: string;
  /** Title of the API, such as "an EC2 API". */
  title: string;
  region: string;
  /** null for AWS itself. Only AWS's messages are quoted: another server could use them to disclose what only the controller can read. */
  endpoint: string | null;
  credentials: CloudCredentials;
};

/** explainError describes an AWS error with its fix: CloudRefused if an operator must change something. */
export function explainError(error: unknown, call: AwsCall): Error {
  const { name } = error instanceof Error ? error : new Error(String(error));
  const where = call.endpoint === null ? `AWS in ${call.region}` : `the endpoint ${hostOf(call.endpoint)}`;
  const describe = (words: string) =>
    `${where} ${words.replace("{action}", call.action).replace("{permission}", call.permission)} (${name})`;
  // Without the original error, which contains the request.
  const refusal = Object.hasOwn(refusals, name) ? refusals[name] : undefined;
  if (refusal) return new CloudRefused(describe(refusal));
  const passing = Object.hasOwn(temporary, name) ? temporary[name] : undefined;
  if (passing) return new Error(describe(passing));
  const status = statusOf(error);
  if (status === null) return new Error(`${where} can't be reached for ${call.action}: ${wayOf(error)}`);
  if (status < 300)
    return new Error(`${where} returned an unexpected response to ${call.action}, not that of ${call.title}`);
  const detail = describeResponse(error, call);
  if (status >= 300 && status < 500)
    return new CloudRefused(`${where} refuses ${call.action} with status ${status}${detail}`);
  return new Error(`${where} fails at ${call.action} with status ${status}${detail}`);
}

/** AWS's message, with the key removed. */
function describeResponse(error: unknown, { endpoint, credentials }: AwsCall): string {
  if (endpoint !== null || !(error instanceof Error)) return "";
  return `: ${redact(error.message, credentials).slice(0, longest)} (${redact(error.name, credentials).slice(0, longest)})`;
}

const hidden = "[hidden]";
// IDs of any keys, signatures and tokens.
const keyLike =
  /\b(?:A3T[A-Z0-9]|ABIA|ACCA|AGPA|AIDA|AKIA|ANPA|AROA|ASCA|ASIA)[A-Z0-9]{12,}\b|\b(?:Credential|Signature|Security-Token|SecurityToken|SessionToken)=[^\s,&'"]*/gi;

/** redact removes a key from a text, including parts of it. */
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
  if (error instanceof Error && error.name === "TimeoutError") return "it doesn't respond in time";
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
