import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { type AppRouter, appRouter } from "./root.ts";
import { createCallerFactory } from "./trpc.ts";

/** createCaller runs procedures in this process: for server-rendered pages and for REST. */
export const createCaller = createCallerFactory(appRouter);

export type RouterInputs = inferRouterInputs<AppRouter>;
export type RouterOutputs = inferRouterOutputs<AppRouter>;
