import type { HealthCheck } from "@fairlead/domain/exposure";
import { z } from "zod";

/** "usual" means the default check, which is not the same as no check. */
export const checkKinds = ["usual", "none", "tcp", "http", "https", "grpc", "udp"] as const;
export type CheckKind = (typeof checkKinds)[number];

/** The fields of every kind of check, as typed, so that switching the kind loses nothing. */
export const healthCheckDraft = z.object({
  kind: z.enum(checkKinds),
  port: z.string(),
  path: z.string(),
  host: z.string(),
  statuses: z.string(),
  service: z.string(),
  send: z.string(),
  expect: z.string(),
  intervalMs: z.string(),
  timeoutMs: z.string(),
  rise: z.string(),
  fall: z.string(),
});
export type HealthCheckDraft = z.infer<typeof healthCheckDraft>;

export function emptyHealthCheck(): HealthCheckDraft {
  const timing = { intervalMs: "1000", timeoutMs: "1000", rise: "2", fall: "3" };
  return {
    kind: "usual",
    port: "",
    path: "/",
    host: "",
    statuses: "",
    service: "",
    send: "",
    expect: "",
    ...timing,
  };
}

/** draftOfHealthCheck fills the fields with an existing check. */
export function draftOfHealthCheck(check: HealthCheck | null | undefined): HealthCheckDraft {
  const draft = emptyHealthCheck();
  if (!check) return draft;
  const { type: kind, ...fields } = check;
  const typed = Object.entries(fields).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(", ") : String(value ?? ""),
  ]);
  return { ...draft, kind, ...Object.fromEntries(typed) };
}

/** toHealthCheck parses the fields of the selected kind. The domain schema validates the result. */
export function toHealthCheck(draft: HealthCheckDraft) {
  const { kind } = draft;
  if (kind === "usual") return null;
  if (kind === "none") return { type: kind };
  return { type: kind, ...questionOf(kind, draft), ...timingOf(draft) };
}

function questionOf(kind: Exclude<CheckKind, "usual" | "none">, draft: HealthCheckDraft) {
  switch (kind) {
    case "tcp":
      return {};
    case "http":
    case "https":
      return {
        path: draft.path.trim(),
        ...(draft.host.trim() ? { host: draft.host.trim() } : {}),
        ...(draft.statuses.trim()
          ? {
              statuses: draft.statuses
                .split(/[\s,]+/)
                .filter(Boolean)
                .map(toNumber),
            }
          : {}),
      };
    case "grpc":
      return { service: draft.service.trim() };
    case "udp":
      return { send: draft.send, expect: draft.expect };
    default:
      return kind satisfies never;
  }
}

function timingOf(draft: HealthCheckDraft) {
  return {
    ...(draft.port.trim() ? { port: toNumber(draft.port) } : {}),
    intervalMs: toNumber(draft.intervalMs),
    timeoutMs: toNumber(draft.timeoutMs),
    rise: toNumber(draft.rise),
    fall: toNumber(draft.fall),
  };
}

/** Digits only: "1e3" and "0x50" are typos. */
export function toNumber(text: string): number {
  return /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN;
}
