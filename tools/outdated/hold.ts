import { compareVersions } from "./compare-versions.ts";
import type { HeldBack } from "./held-back.ts";
import type { Pin } from "./pin.ts";

export type Held = Pin & { reason: string };

/** hold separates versions that are behind on purpose from those that can be updated; one that can still move within its bound is in both. */
export function hold(pins: Pin[], heldBack: HeldBack[]): { behind: Pin[]; held: Held[] } {
  const behind: Pin[] = [];
  const held: Held[] = [];
  for (const pin of pins.filter(({ have, newest }) => compareVersions(newest, have) > 0)) {
    const rule = heldBack.find(({ name, below }) => name === pin.name && isRefused(pin.newest, below));
    if (!rule) {
      behind.push(pin);
      continue;
    }
    held.push({ ...pin, reason: rule.reason });
    const newest = newestBelow(pin.versions ?? [], rule.below);
    if (newest && compareVersions(newest, pin.have) > 0) behind.push({ ...pin, newest });
  }
  return { behind, held };
}

function isRefused(version: string, below: string | undefined): boolean {
  return !below || compareVersions(version, below) >= 0;
}

function newestBelow(versions: string[], below: string | undefined): string | undefined {
  if (!below) return undefined;
  const fitting = versions.filter((version) => !version.includes("-") && compareVersions(version, below) < 0);
  return fitting.sort(compareVersions).at(-1);
}
