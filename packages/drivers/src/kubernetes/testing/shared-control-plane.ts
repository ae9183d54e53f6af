import { type Access, ControlPlane } from "./control-plane.ts";

/** sharedControlPlane is the one that all test files of the project use, each in namespaces of its own: none may harm it. */
export function sharedControlPlane(): ControlPlane {
  const access = process.env.FAIRLEAD_TEST_KUBERNETES;
  if (!access) throw new Error("FAIRLEAD_TEST_KUBERNETES tells of no control plane: run through vitest's project kube");
  return new ControlPlane(JSON.parse(access) as Access);
}
