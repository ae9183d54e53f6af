import "server-only";
import { TRPCError } from "@trpc/server";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { signInHref } from "@/components/frame/sign-in-href.ts";
import { getCaller } from "@/trpc/server.tsx";
import type { Prices } from "./use-answer.ts";

/** The prices, and whether they are today's because the requested ones are not stored. */
export type PricesRead = { prices: Prices; notKept: boolean } | { problem: string };

/**
 * pricesForPage returns the prices that the calculator uses. If the public calculator is disabled, signed-out users are
 * redirected to the sign-in page.
 */
export const pricesForPage = cache(async (isOwn: boolean, pricesOf: string): Promise<PricesRead> => {
  const caller = await getCaller();
  const read = isOwn ? caller.cost.ownPrices : caller.cost.prices;
  try {
    if (pricesOf === "") return { prices: await read({}), notKept: false };
    return await read({ pricesOf }).then(
      (prices) => ({ prices, notKept: false }),
      async (error: unknown) => {
        if (!isRefused(error)) throw error;
        return { prices: await read({}), notKept: true };
      },
    );
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error;
    if (error.code === "UNAUTHORIZED") redirect(signInHref((await headers()).get("x-path") ?? "/calculator"));
    if (error.code === "TOO_MANY_REQUESTS") return { problem: error.message };
    throw error;
  }
});

/** A date with no stored prices, or an invalid date. */
function isRefused(error: unknown): boolean {
  return error instanceof TRPCError && ["BAD_REQUEST", "UNPROCESSABLE_CONTENT"].includes(error.code);
}
