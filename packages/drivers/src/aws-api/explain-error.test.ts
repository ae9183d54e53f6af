import { describe, expect, it } from "vitest";
import { testCredentials } from "../cloud-route/testing/test-vpc.ts";
import { CloudRefused } from "./cloud-refused.ts";
import { explainError, redact } from "./explain-error.ts";

const { accessKeyId, secretAccessKey } = testCredentials;
const gossip = `the Credential=${accessKeyId}/20261124/eu-central-1/ec2 with Signature=d3adb33f of ${secretAccessKey}`;
const asked = {
  action: "CreateRoute",
  permission: "ec2:CreateRoute",
  title: "an EC2 API",
  region: "eu-central-1",
  endpoint: null,
  credentials: testCredentials,
};

function answer(name: string, httpStatusCode: number, message = gossip): Error {
  return Object.assign(new Error(message), { name, $metadata: { httpStatusCode } });
}

describe("what AWS answers", () => {
  it.each([
    ["AuthFailure", 401, "set a valid one"],
    ["InvalidClientTokenId", 403, "set a valid one"],
    ["UnrecognizedClientException", 403, "set a valid one"],
    ["MissingAuthenticationToken", 403, "set one anew"],
    ["IncompleteSignature", 400, "set access key and secret anew"],
    ["SignatureDoesNotMatch", 403, "set both anew"],
    ["InvalidSignatureException", 403, "set both anew"],
    ["ExpiredToken", 400, "finds the access key expired"],
    ["ExpiredTokenException", 400, "finds the access key expired"],
    ["RequestExpired", 400, "set the clock of the controller's machine right"],
    ["RequestInTheFuture", 400, "set the clock of the controller's machine right"],
    ["RequestTimeTooSkewed", 403, "set the clock of the controller's machine right"],
    ["OptInRequired", 401, "enable it there"],
    ["PendingVerification", 400, "ask AWS"],
    ["Blocked", 403, "ask AWS"],
    ["UnauthorizedOperation", 403, "doesn't let the access key do ec2:CreateRoute; allow it in the key's policy"],
    ["AccessDenied", 403, "ec2:CreateRoute"],
    ["AccessDeniedException", 400, "ec2:CreateRoute"],
    ["RouteLimitExceeded", 400, "have its quota raised"],
    ["PrivateIpAddressLimitExceeded", 400, "spread the balancers"],
    ["TagLimitExceeded", 400, "take one of others away"],
    ["InvalidRouteTableID.NotFound", 400, "name those that are there"],
    ["InvalidNetworkInterfaceID.NotFound", 400, "the replica's machine is gone"],
    ["InvalidAllocationID.NotFound", 400, "name one that is there"],
    ["InvalidVpcID.NotFound", 400, "name the one where balancers are"],
    ["RouteAlreadyExists", 400, "looked at again"],
    ["InvalidParameterValue", 400, "refuses CreateRoute with status 400"],
    ["SomethingOfNextYear", 418, "refuses CreateRoute with status 418"],
    ["PermanentRedirect", 301, "refuses CreateRoute with status 301"],
  ])("%s asks somebody to act: %s, %s", (name, status, cure) => {
    const explained = explainError(answer(name, status), asked);
    expect(explained).toBeInstanceOf(CloudRefused);
    expect(explained.message).toContain("AWS in eu-central-1 ");
    expect(explained.message).toContain(cure);
    expect(explained.message).toContain(`(${name})`);
    checkNoKey(explained);
  });

  it.each([
    ["RequestLimitExceeded", 503, "asks to slow down at CreateRoute"],
    ["ThrottlingException", 400, "asks to slow down at CreateRoute"],
    ["InternalError", 500, "fails at CreateRoute"],
    ["Unavailable", 503, "fails at CreateRoute"],
    ["InvalidRoute.NotFound", 400, "changed meanwhile, at CreateRoute"],
    ["IncorrectState", 400, "still busy"],
    ["SomethingOfNextYear", 500, "fails at CreateRoute with status 500"],
  ])("%s passes: %s, %s", (name, status, words) => {
    const explained = explainError(answer(name, status), asked);
    expect(explained).not.toBeInstanceOf(CloudRefused);
    expect(explained.message).toContain(words);
    checkNoKey(explained);
  });

  it("of an address keeps AWS's own words, which say more than ours", () => {
    const said = answer("InvalidParameterValue", 400, "Address 10.0.0.9 does not fall within the subnet's range");
    expect(explainError(said, asked).message).toBe(
      "AWS in eu-central-1 refuses CreateRoute with status 400: Address 10.0.0.9 does not fall within the subnet's range (InvalidParameterValue)",
    );
  });
});

describe("what another server answers", () => {
  const elsewhere = { ...asked, endpoint: "https://ec2.example:8443" };

  it.each([
    ["hunter2", 400],
    ["hunter2", 500],
    ["constructor", 400],
    ["__proto__", 400],
  ])("is never repeated (%s, %s)", (name, status) => {
    const { message } = explainError(answer(name, status, "role credentials of the controller"), elsewhere);
    expect(message).toMatch(/^the endpoint ec2\.example:8443 (refuses|fails at) CreateRoute with status \d+$/);
  });

  it.each([
    [{ code: "ECONNREFUSED" }, "nobody listens there (ECONNREFUSED)"],
    [{ code: "ENOTFOUND" }, "nobody knows its name (ENOTFOUND)"],
    [{ code: "DEPTH_ZERO_SELF_SIGNED_CERT" }, "its certificate can't be trusted"],
    [{ name: "TimeoutError" }, "it doesn't answer in time"],
    [{ code: "toString" }, "the connection fails"],
  ])("or how it can't be reached is said in our words (%j)", (props, words) => {
    const { message } = explainError(Object.assign(new Error("connect 10.0.0.7:80"), props), elsewhere);
    expect(message).toContain(`the endpoint ec2.example:8443 can't be reached for CreateRoute: ${words}`);
    expect(message).not.toContain("10.0.0.7");
  });
});

describe("a text", () => {
  it.each([
    [accessKeyId],
    [secretAccessKey],
    [encodeURIComponent("a/secret+with=signs")],
    [Buffer.from(accessKeyId).toString("base64")],
    ["ASIAIOSFODNN7SOMEBODY"],
    ["Signature=abcdef0123"],
    ["X-Amz-Security-Token=abc/def=="],
  ])("is told without %s", (part) => {
    const secret = part.startsWith("a%2F") ? "a/secret+with=signs" : secretAccessKey;
    const told = redact(`before ${part} after ${part}`, { accessKeyId, secretAccessKey: secret });
    expect(told).not.toContain(part);
    expect(told).toMatch(/^before .*after/);
  });
});

function checkNoKey({ message, stack, cause }: Error): void {
  const all = JSON.stringify([message, stack, cause]);
  for (const part of [accessKeyId, secretAccessKey, "d3adb33f"]) expect(all).not.toContain(part);
}
