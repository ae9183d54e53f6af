"use client";
import type { KubeconfigPreview } from "@fairlead/domain/kubernetes";
import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { useSettled } from "@/components/ui/use-settled.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";

export type PreviewState = { preview: KubeconfigPreview | null; problem: string; isLooking: boolean };

/** useKubeconfigPreview fetches a preview of a kubeconfig once the user stops typing. The server does not store it. */
export function useKubeconfigPreview(text: string, context: string): PreviewState {
  const trpc = useTRPC();
  const { mutate, reset, data, error, isPending } = useMutation(
    trpc.cluster.previewKubeconfig.mutationOptions({ gcTime: 0 }),
  );
  const settled = useSettled(text);
  const isEmpty = text.trim() === "";
  useEffect(() => {
    if (settled.trim() === "") reset();
    else mutate({ kubeconfig: settled, ...(context ? { context } : {}) });
  }, [settled, context, mutate, reset]);
  if (isEmpty) return { preview: null, problem: "", isLooking: false };
  return {
    preview: data ?? null,
    problem: error ? problemOf(error).message : "",
    isLooking: isPending || settled !== text,
  };
}
