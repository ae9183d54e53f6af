import { hkdfSync } from "node:crypto";
import { openSecretBox, type SecretBox } from "../secret/index.ts";

/** sessionKeysBox seals and opens the keys of clusters, from which others are derived. */
export function sessionKeysBox(secret: string): SecretBox {
  return openSecretBox(secret, "session-keys");
}

const exposureKeyBytes = 64;

/**
 * deriveSessionKey returns the keys of one exposure, of no use for others. Agents derive the same: see
 * agents/internal/session/cookie.
 */
export function deriveSessionKey(clusterKey: Uint8Array, exposureId: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", clusterKey, "", `fairlead session ${exposureId}`, exposureKeyBytes));
}

/** openSessionKey opens a cluster's sealed key and derives the keys of an exposure. */
export function openSessionKey(box: Pick<SecretBox, "open">, sealed: string, exposureId: string): Uint8Array {
  return deriveSessionKey(Buffer.from(box.open(sealed), "base64"), exposureId);
}

const meshKeyBytes = 32;

/** openMeshKey opens a cluster's sealed key and derives the one with which its nodes sign figures for the strategy adaptive. */
export function openMeshKey(box: Pick<SecretBox, "open">, sealed: string): Uint8Array {
  const clusterKey = Buffer.from(box.open(sealed), "base64");
  return new Uint8Array(hkdfSync("sha256", clusterKey, "", "fairlead mesh", meshKeyBytes));
}
