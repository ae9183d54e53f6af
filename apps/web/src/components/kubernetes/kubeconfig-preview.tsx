"use client";
import type { KubeconfigPreview } from "@fairlead/domain/kubernetes";
import { Facts } from "@/components/table/facts.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { CertificateEnd } from "./certificate-end.tsx";
import { Fold } from "./fold.tsx";
import { Manifest } from "./manifest.tsx";
import { NeededPermissions } from "./needed-permissions.tsx";
import type { PreviewState } from "./use-kubeconfig-preview.ts";
import { userTypeWords } from "./words.ts";

/** A preview of a kubeconfig, before it is saved. */
export function KubeconfigPreviewPanel({ state }: { state: PreviewState }) {
  const { preview, problem, isLooking } = state;
  return (
    <section aria-label="Preview" aria-live="polite" className="rounded-lg border bg-surface p-3">
      <h3 className="font-semibold text-sm">Preview</h3>
      <div className="mt-1 min-h-20 text-sm">
        {problem ? (
          <Problem text={problem} />
        ) : preview ? (
          <Found preview={preview} />
        ) : isLooking ? (
          <div className="flex flex-col gap-3 pt-2" aria-hidden>
            <Skeleton className="w-full" />
            <Skeleton className="w-2/3" />
          </div>
        ) : (
          <p className="text-muted">
            Paste a kubeconfig or choose its file to see its server and its authentication. Fairlead connects only after
            you save.
          </p>
        )}
      </div>
      <div className="mt-2 border-t pt-2">
        <Fold title="Required permissions and their reasons">
          <NeededPermissions />
        </Fold>
        <Fold title="Create a dedicated account with just these permissions">
          <Manifest server={preview?.server ?? null} />
        </Fold>
      </div>
    </section>
  );
}

function Found({ preview }: { preview: KubeconfigPreview }) {
  const { server, userType, certificateExpiresAt, problems, contextName } = preview;
  return (
    <>
      <Facts
        rows={[
          ["Context", contextName],
          ["Server", server ? <Mono key="server">{server}</Mono> : null],
          ["Authentication", userType ? userTypeWords[userType] : null],
          ["Expires", certificateExpiresAt ? <CertificateEnd key="end" at={certificateExpiresAt} /> : null],
        ]}
      />
      {problems.map((each) => (
        <Problem key={each} text={each} />
      ))}
    </>
  );
}

function Problem({ text }: { text: string }) {
  return (
    <p className="flex gap-2 py-1">
      <StatusGlyph shape="square" className="mt-1 text-bad" />
      <span className="min-w-0 break-words">{text}</span>
    </p>
  );
}
