import { beforeAll, describe, expect, it } from "vitest";
import { createTestCertificate, type TestPem, writeTestKubeconfig } from "../testing/kubeconfig.ts";
import { openKubeconfig } from "./open-kubeconfig.ts";

const now = new Date();
const day = 86_400_000;
let authority: TestPem;
let user: TestPem;
let other: TestPem;
beforeAll(async () => {
  authority = await createTestCertificate("authority");
  user = await createTestCertificate("user", 10 * day);
  other = await createTestCertificate("other");
});
const open = (text: string) => openKubeconfig(text, undefined, now);

describe("the certificates in a kubeconfig", () => {
  it("determine until when it is valid", () => {
    const read = open(writeTestKubeconfig(authority.certificate, user));
    expect(read.problems).toEqual([]);
    const left = (read.certificateExpiresAt?.getTime() ?? 0) - now.getTime();
    expect(Math.round(left / day)).toBe(10);
    expect(open(writeTestKubeconfig(authority.certificate, { token: "t" })).certificateExpiresAt).toBeNull();
  });

  it("are refused once they have expired", async () => {
    const ended = await createTestCertificate("ended", -day);
    const read = open(writeTestKubeconfig(authority.certificate, ended));
    expect(read).toMatchObject({
      access: null,
      problems: [expect.stringMatching(/^The client certificate expired on 20\d\d-/)],
    });
    expect(read.certificateExpiresAt).not.toBeNull();
  });

  it.each<[string, () => string, RegExp]>([
    ["another key", () => writeTestKubeconfig(authority.certificate, { ...user, key: other.key }), /isn't the key of/],
    [
      "an invalid key",
      () =>
        writeTestKubeconfig(authority.certificate, {
          ...user,
          key: "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n",
        }),
      /no private key that can be read/,
    ],
    [
      "an invalid certificate",
      () =>
        writeTestKubeconfig(authority.certificate, {
          ...user,
          certificate: "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n",
        }),
      /no certificate that can be read/,
    ],
    [
      "an invalid authority",
      () => writeTestKubeconfig("-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n", { token: "t" }),
      /certificate-authority-data holds a certificate that can't be read/,
    ],
  ])("are checked: %s", (_, text, problem) => {
    expect(open(text())).toMatchObject({ access: null, problems: [expect.stringMatching(problem)] });
  });
});
