import { describe, expect, it } from "vitest";
import { openSecretBox } from "./secret-box.ts";

const secret = "a-secret-of-thirty-two-characters!";
const other = "another-secret-of-thirty-two-chars";

describe("openSecretBox", () => {
  const box = openSecretBox(secret, "kubeconfig");

  it.each(["", "x", "grüße 🚢", "a".repeat(100_000)])("opens what it sealed: %.12s", (text) => {
    expect(box.open(box.seal(text))).toBe(text);
  });

  it("never seals the same text to the same bytes", () => {
    expect(box.seal("x")).not.toBe(box.seal("x"));
  });

  it("refuses a text of which any one character was changed", () => {
    const sealed = box.seal("certificate");
    for (let at = 0; at < sealed.length; at++) {
      const changed = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
      if (Buffer.from(changed.slice(16), "base64url").equals(Buffer.from(sealed.slice(16), "base64url")) && at > 16)
        continue; // padding bits of the encoding, not of the secret
      expect(() => box.open(changed), `position ${at}`).toThrow(/tampered|another FAIRLEAD_SECRET/);
    }
  });

  it.each(["", "v1", "v1..", "v2.000000000000.AAAA", "v1.a.b.c", "plain text"])("refuses %j", (text) => {
    expect(() => box.open(text)).toThrow(/tampered|another FAIRLEAD_SECRET/);
  });

  it("reports that another secret sealed it", () => {
    expect(() => openSecretBox(other, "kubeconfig").open(box.seal("x"))).toThrow(
      "A stored secret was sealed with another FAIRLEAD_SECRET than this one",
    );
  });

  it("separates purposes", () => {
    expect(() => openSecretBox(secret, "cloud-credential").open(box.seal("x"))).toThrow();
  });

  it("refuses a secret that is too short to be one", () => {
    expect(() => openSecretBox("short", "x")).toThrow("at least 32 characters");
  });
});
