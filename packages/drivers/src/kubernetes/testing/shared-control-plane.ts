import { type Access, ControlPlane } from "./control-plane.ts";

/** sharedControlPlane is used by all test files of the project, each in its own namespaces. No test may disrupt it. */
export function sharedControlPlane(): ControlPlane {
  const access = process.env.FAIRLEAD_TEST_KUBERNETES;
  if (!access) throw new Error("FAIRLEAD_TEST_KUBERNETES is not set: run through vitest's project kube");
  return new ControlPlane(JSON.parse(access) as Access);
}
