import { runProgram } from "../datapath/program.ts";
import type { Benchmark } from "../main.ts";
import { judge } from "./judge.ts";

const sizes = {
  full: ["--rounds=10", "--for=10s", "--flows=4000000"],
  quick: ["--rounds=1", "--for=1s", "--flows=1000000"],
  smoke: ["--rounds=1", "--for=500ms", "--services=50", "--flows=20000", "--subjects=tcx"],
};

/**
 * 10 000 backends in 1 000 services are added and removed while millions of flows are carried: first without other load, then while
 * one service carries traffic and changes too.
 */
export const run: Benchmark = async ({ form, root }) => {
  const measured = await runProgram(root, ["balancer-scale", ...sizes[form]], () => {});
  return {
    results: judge(measured),
    limits: [
      "the figures are for the engine's Set in its own process, without the delivery of the config to the agent and without health checks",
      "the flows belong to one service that doesn't change, and each is of one datagram from a client of its own; userspace has none",
      "under load the client, two backends, the engine and another replica, which its first packets wait for, share the processors",
      "nftables is documented for tens of services, and isn't measured",
      ...measured.leftOut.map(({ subject, reason }) => `${subject} was not measured: ${reason}`),
    ],
  };
};
