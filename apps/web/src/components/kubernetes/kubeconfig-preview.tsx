"use client";
import type { KubeconfigPreview } from "@fairlead/domain";
import { Facts } from "@/components/table/facts.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { StatusGlyph } from "@/components/ui/status-badge.tsx";
import { CertificateEnd } from "./certificate-end.tsx";
import { Fold } from "./fold.tsx";
import { Manifest } from "./manifest.tsx";
import { NeededPermissions } from "./needed-permissions.tsx";
import type { PreviewState } from "./use-kubeconfig-preview.ts";
import { userTypeWords } from "./words.ts";

/** What would come of a kubeconfig, before it is given. */
export function KubeconfigPreviewPanel({ state }: { state: PreviewState }) {
  const { preview, problem, isLooking } = state;
  return (
    <section aria-label="What is in it" aria-live="polite" className="rounded-lg border bg-surface p-3">
      <h3 className="font-semibold text-sm">What is in it</h3>
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
            Paste a kubeconfig or choose its file, and see where it leads and how it signs in. Nobody is asked before
            you save.
          </p>
        )}
      </div>
      <div className="mt-2 border-t pt-2">
        <Fold title="What Fairlead has to be allowed, and why">
          <NeededPermissions />
        </Fold>
        <Fold title="Give Fairlead an account of its own that is allowed just that">
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
          ["Signs in with", userType ? userTypeWords[userType] : null],
          ["Until", certificateExpiresAt ? <CertificateEnd key="end" at={certificateExpiresAt} /> : null],
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
