"use client";
import { useQuery } from "@tanstack/react-query";

export const platforms = [
  { name: "linux-amd64", label: "x86-64 (amd64)" },
  { name: "linux-arm64", label: "ARM (arm64)" },
] as const;
export type Platform = (typeof platforms)[number]["name"];

type Checksum = { sha256: string } | { problem: string };

/** A program that is being built is ready within a minute or two. */
const pollMs = 5_000;

/** useAgentChecksum returns the checksum of the agent that this control plane serves, or why there is none yet. */
export function useAgentChecksum(platform: Platform): Checksum | undefined {
  const { data } = useQuery({
    queryKey: ["agent-checksum", platform],
    queryFn: ({ signal }) => readChecksum(platform, signal),
    refetchInterval: ({ state }) => (state.data && "sha256" in state.data ? false : pollMs),
  });
  return data;
}

async function readChecksum(platform: Platform, signal: AbortSignal): Promise<Checksum> {
  const answer = await fetch(`/download/agent/${platform}/sha256`, { signal });
  const text = (await answer.text()).trim();
  return answer.ok ? { sha256: text.split(" ")[0] ?? "" } : { problem: text };
}
