import { expect, it } from "vitest";
import { deriveSessionKey, openMeshKey, openSessionKey, sessionKeysBox } from "./session-keys-box.ts";

const clusterKey = "0123456789abcdef0123456789abcdef";
// The test of agents/internal/session/cookie has the same bytes.
const derived =
  "76003c18adc5f20331f8a7c8fb6c36ecd32c4325e9a9dec6bb12d12a91e7b92887ebf2b5785dd317658f918754cec6d4527d0cc1f90a6224e062a356aa886966";

it("derives the keys of an exposure as agents do", () => {
  expect(Buffer.from(deriveSessionKey(Buffer.from(clusterKey), "exp_1")).toString("hex")).toBe(derived);
  expect(Buffer.from(deriveSessionKey(Buffer.from(clusterKey), "exp_2")).toString("hex")).not.toBe(derived);
});

it("opens a sealed key", () => {
  const box = sessionKeysBox("a-secret-of-thirty-two-characters!");
  const sealed = box.seal(Buffer.from(clusterKey).toString("base64"));
  expect(Buffer.from(openSessionKey(box, sealed, "exp_1")).toString("hex")).toBe(derived);
});

it("derives a key of the mesh that says nothing about others", () => {
  const box = sessionKeysBox("a-secret-of-thirty-two-characters!");
  const sealed = box.seal(Buffer.from(clusterKey).toString("base64"));
  const key = Buffer.from(openMeshKey(box, sealed));
  expect(key).toHaveLength(32);
  expect(key.equals(Buffer.from(clusterKey))).toBe(false);
  expect(derived).not.toContain(key.toString("hex"));
});
