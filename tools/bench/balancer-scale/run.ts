import { runProgram } from "../datapath/program.ts";
import type { Benchmark } from "../main.ts";
import { judge } from "./judge.ts";

/** 10 000 backends in 1 000 services come and go, first alone and then while one service is loaded and changes too. */
export const run: Benchmark = async ({ quick, root }) => {
  const args = ["balancer-scale", ...(quick ? ["--rounds=1", "--for=1s"] : ["--rounds=10", "--for=10s"])];
  const measured = await runProgram(root, args, () => {});
  return {
    results: judge(measured),
    limits: [
      "what is measured is the engine's Set in a process of its own: neither the way of the config to the agent nor health checks",
      "under load the client, two backends, the engine and another replica, which its first packets wait for, share the processors",
      "nftables says itself that it is for tens of services, and isn't measured",
      ...measured.leftOut.map(({ subject, reason }) => `${subject} wasn't measured: ${reason}`),
    ],
  };
};
