/** HeldBack is a dependency that is not updated on purpose. */
export type HeldBack = {
  name: string;
  /** The first version that can't be used. Without it, only the pinned version fits. */
  below?: string;
  reason: string;
};

const sso = "@better-auth/sso 1.7.5 is the newest sso, and its peers accept only this version";
const prisma = "Prisma's packages must have one version, and @prisma/client 7.10.0 is the newest client";
const trpc = "@trpc/tanstack-react-query 11.22.1 is the newest, and its peers accept only this version";
const node = "Node 24 is the long-term support line in use; images and types move to the next line with it";

/** heldBack records why each of these is behind, so that a rejected version is examined once, not at each update. */
export const heldBack: HeldBack[] = [
  ...["better-auth", "@better-auth/core"].map((name) => ({
    name,
    below: "1.7.8",
    reason: "1.7.8 needs better-call 1.4.2 and @better-auth/utils 0.5.0, which @better-auth/sso 1.7.5 refuses",
  })),
  { name: "@better-auth/utils", reason: sso },
  { name: "@better-fetch/fetch", reason: sso },
  { name: "better-call", reason: sso },
  { name: "prisma", reason: prisma },
  { name: "@prisma/adapter-pg", reason: prisma },
  { name: "@prisma/driver-adapter-utils", reason: prisma },
  { name: "@prisma/schema-engine-wasm", reason: "it is the build that prisma 7.10.0 itself uses" },
  { name: "@trpc/client", reason: trpc },
  { name: "@trpc/server", reason: trpc },
  { name: "node", below: "25.0.0", reason: node },
  { name: "@types/node", below: "25.0.0", reason: node },
  {
    name: "@axe-core/playwright",
    below: "4.14.0",
    reason: "4.14.0 compares labels with the text shown (WCAG 2.5.3), which controls of the dashboard don't meet yet",
  },
  {
    name: "vitest",
    below: "5.0.0",
    reason: "a major version: every suite has to be run with it, in a change of its own",
  },
  {
    name: "go",
    below: "1.27.0",
    reason: "go.mod, the agent's image and the Kubernetes programs move to 1.27 together",
  },
];
