"use client";
import { kubeconfigCommands, kubernetesManifest } from "@fairlead/domain/kubernetes";
import { CommandLine } from "@/components/ui/action/command-line.tsx";

/**
 * How to create an account for Fairlead in a cluster: the manifest, and the command that creates a kubeconfig for it.
 */
export function Manifest({ server }: { server: string | null }) {
  const manifest = kubernetesManifest();
  return (
    <ol className="flex flex-col gap-3 text-sm">
      <li className="flex min-w-0 flex-col gap-1">
        <span>1. Save this as fairlead.yaml and apply it:</span>
        <CommandLine command={manifest} label="Manifest" isFile />
        <CommandLine command="kubectl apply -f fairlead.yaml" label="Apply the manifest" />
      </li>
      <li className="flex min-w-0 flex-col gap-1">
        <span>2. Create a kubeconfig for the account and paste fairlead.kubeconfig:</span>
        <CommandLine command={kubeconfigCommands(server).join("\n")} label="Create the kubeconfig" />
      </li>
    </ol>
  );
}
