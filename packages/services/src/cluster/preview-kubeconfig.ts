import {
  type KubeconfigPreview,
  kubeconfigCommands,
  kubernetesManifest,
  kubernetesPermissions,
  type PreviewKubeconfig,
  resourceName,
} from "@fairlead/domain/kubernetes";
import { authorize, type ServiceContext } from "../context.ts";
import { openKubeconfig } from "./open-kubeconfig.ts";

/**
 * previewKubeconfig returns what a kubeconfig contains, without contacting its server: whether that answers, and what
 * it grants, the controller checks once the kubeconfig is set. Nothing is stored.
 */
export async function previewKubeconfig(ctx: ServiceContext, input: PreviewKubeconfig): Promise<KubeconfigPreview> {
  authorize(ctx, "cluster:write");
  const { access, ...found } = openKubeconfig(input.kubeconfig, input.context, ctx.now);
  return {
    contexts: found.contexts,
    contextName: found.contextName,
    server: found.server,
    userType: access?.auth.type ?? null,
    certificateExpiresAt: found.certificateExpiresAt,
    problems: found.problems,
    permissions: kubernetesPermissions.map((each) => ({
      resource: resourceName(each),
      verbs: [...each.verbs],
      why: each.why,
    })),
    manifest: kubernetesManifest(),
    commands: kubeconfigCommands(found.server),
  };
}
