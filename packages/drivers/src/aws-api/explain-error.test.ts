import { describe, expect, it } from "vitest";
import { testCredentials } from "../cloud-route/testing/test-vpc.ts";
import { CloudRefused } from "./cloud-refused.ts";
import { explainError, redact } from "./explain-error.ts";

const { accessKeyId, secretAccessKey } = testCredentials;
const leak = `the Credential=${accessKeyId}/20261124/eu-central-1/ec2 with Signature=d3adb33f of ${secretAccessKey}`;
const call = {
  action: "CreateRoute",
  permission: "ec2:CreateRoute",
  title: "an EC2 API",
  region: "eu-central-1",
  endpoint: null,
  credentials: testCredentials,
};

function answer(name: string, httpStatusCode: number, message = leak): Error {
  return Object.assign(new Error(message), { name, $metadata: { httpStatusCode } });
}

describe("errors of AWS", () => {
  it.each([
    ["AuthFailure", 401, "set a valid one"],
    ["InvalidClientTokenId", 403, "set a valid one"],
    ["UnrecognizedClientException", 403, "set a valid one"],
    ["MissingAuthenticationToken", 403, "set one again"],
    ["IncompleteSignature", 400, "set access key and secret again"],
    ["SignatureDoesNotMatch", 403, "set both again"],
    ["InvalidSignatureException", 403, "set both again"],
    ["ExpiredToken", 400, "reports that the access key expired"],
    ["ExpiredTokenException", 400, "reports that the access key expired"],
    ["RequestExpired", 400, "the clock of the controller's machine is wrong; correct it"],
    ["RequestInTheFuture", 400, "the clock of the controller's machine is wrong; correct it"],
    ["RequestTimeTooSkewed", 403, "the clock of the controller's machine is wrong; correct it"],
    ["OptInRequired", 401, "enable it there"],
    ["PendingVerification", 400, "ask AWS"],
    ["Blocked", 403, "ask AWS"],
    [
      "UnauthorizedOperation",
      403,
      "denies the access key the permission ec2:CreateRoute; allow it in the key's policy",
    ],
    ["AccessDenied", 403, "ec2:CreateRoute"],
    ["AccessDeniedException", 400, "ec2:CreateRoute"],
    ["RouteLimitExceeded", 400, "raise its quota"],
    ["PrivateIpAddressLimitExceeded", 400, "spread the balancers"],
    ["TagLimitExceeded", 400, "remove one of the others"],
    ["InvalidRouteTableID.NotFound", 400, "set existing ones"],
    ["InvalidNetworkInterfaceID.NotFound", 400, "the replica's machine was removed"],
    ["InvalidAllocationID.NotFound", 400, "set an existing one"],
    ["InvalidVpcID.NotFound", 400, "set the VPC of the balancers"],
    ["RouteAlreadyExists", 400, "checked again"],
    ["InvalidParameterValue", 400, "refuses CreateRoute with status 400"],
    ["SomethingOfNextYear", 418, "refuses CreateRoute with status 418"],
    ["PermanentRedirect", 301, "refuses CreateRoute with status 301"],
  ])("%s needs an operator: %s, %s", (name, status, fix) => {
    const explained = explainError(answer(name, status), call);
    expect(explained).toBeInstanceOf(CloudRefused);
    expect(explained.message).toContain("AWS in eu-central-1 ");
    expect(explained.message).toContain(fix);
    expect(explained.message).toContain(`(${name})`);
    checkNoKey(explained);
  });

  it.each([
    ["RequestLimitExceeded", 503, "is throttling CreateRoute"],
    ["ThrottlingException", 400, "is throttling CreateRoute"],
    ["InternalError", 500, "fails at CreateRoute"],
    ["Unavailable", 503, "fails at CreateRoute"],
    ["InvalidRoute.NotFound", 400, "changed meanwhile, at CreateRoute"],
    ["IncorrectState", 400, "still busy"],
    ["SomethingOfNextYear", 500, "fails at CreateRoute with status 500"],
  ])("%s is temporary: %s, %s", (name, status, words) => {
    const explained = explainError(answer(name, status), call);
    expect(explained).not.toBeInstanceOf(CloudRefused);
    expect(explained.message).toContain(words);
    checkNoKey(explained);
  });

  it("keeps AWS's message about an address, which is more precise", () => {
    const error = answer("InvalidParameterValue", 400, "Address 10.0.0.9 does not fall within the subnet's range");
    expect(explainError(error, call).message).toBe(
      "AWS in eu-central-1 refuses CreateRoute with status 400: Address 10.0.0.9 does not fall within the subnet's range (InvalidParameterValue)",
    );
  });
});

describe("errors of another endpoint", () => {
  const elsewhere = { ...call, endpoint: "https://ec2.example:8443" };

  it.each([
    ["hunter2", 400],
    ["hunter2", 500],
    ["constructor", 400],
    ["__proto__", 400],
  ])("are never quoted (%s, %s)", (name, status) => {
    const { message } = explainError(answer(name, status, "role credentials of the controller"), elsewhere);
    expect(message).toMatch(/^the endpoint ec2\.example:8443 (refuses|fails at) CreateRoute with status \d+$/);
  });

  it.each([
    [{ code: "ECONNREFUSED" }, "the connection was refused (ECONNREFUSED)"],
    [{ code: "ENOTFOUND" }, "its name can't be resolved (ENOTFOUND)"],
    [{ code: "DEPTH_ZERO_SELF_SIGNED_CERT" }, "its certificate can't be trusted"],
    [{ name: "TimeoutError" }, "it doesn't respond in time"],
    [{ code: "toString" }, "the connection fails"],
  ])("connection failures are described without its message (%j)", (props, words) => {
    const { message } = explainError(Object.assign(new Error("connect 10.0.0.7:80"), props), elsewhere);
    expect(message).toContain(`the endpoint ec2.example:8443 can't be reached for CreateRoute: ${words}`);
    expect(message).not.toContain("10.0.0.7");
  });
});

describe("redact", () => {
  it.each([
    [accessKeyId],
    [secretAccessKey],
    [encodeURIComponent("a/secret+with=signs")],
    [Buffer.from(accessKeyId).toString("base64")],
    ["ASIAIOSFODNN7EXAMPLES"],
    ["Signature=abcdef0123"],
    ["X-Amz-Security-Token=abc/def=="],
  ])("removes %s", (part) => {
    const secret = part.startsWith("a%2F") ? "a/secret+with=signs" : secretAccessKey;
    const redacted = redact(`before ${part} after ${part}`, { accessKeyId, secretAccessKey: secret });
    expect(redacted).not.toContain(part);
    expect(redacted).toMatch(/^before .*after/);
  });
});

function checkNoKey({ message, stack, cause }: Error): void {
  const all = JSON.stringify([message, stack, cause]);
  for (const part of [accessKeyId, secretAccessKey, "d3adb33f"]) expect(all).not.toContain(part);
}
