import "server-only";
import { TRPCError } from "@trpc/server";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { signInHref } from "@/components/frame/sign-in-href.ts";
import { getCaller } from "@/trpc/server.tsx";
import type { Prices } from "./use-answer.ts";

export type PricesRead = { prices: Prices } | { problem: string };

/** pricesForPage reads what the calculator reckons by. Where strangers are kept out, they are led to sign in. */
export const pricesForPage = cache(async (): Promise<PricesRead> => {
  const caller = await getCaller();
  try {
    return { prices: { points: await caller.pricePoint.newest(), at: new Date().toISOString() } };
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error;
    if (error.code === "UNAUTHORIZED") redirect(signInHref((await headers()).get("x-path") ?? "/calculator"));
    if (error.code === "TOO_MANY_REQUESTS") return { problem: error.message };
    throw error;
  }
});
