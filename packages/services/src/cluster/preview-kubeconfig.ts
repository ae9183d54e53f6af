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
 * previewKubeconfig says what would come of a kubeconfig, without asking anybody: who answers there, and what is granted, the
 * controller finds out as soon as it is given. Nothing of it is stored.
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
