"use client";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { discardUnsaved, hasUnsaved, type Leaving, leave, onLeave } from "../ui/form/unsaved.ts";
import { ConfirmDialog } from "../ui/overlay/confirm-dialog.tsx";

/** Asks for a confirmation before a link, Back, a dialog's end, a reload or a closed tab discards input that is not saved. */
export function UnsavedGuard() {
  const router = useRouter();
  const [leaving, setLeaving] = useState<Leaving | null>(null);
  useEffect(() => onLeave(setLeaving), []);
  useEffect(() => {
    function onClick(event: MouseEvent) {
      const link = hasUnsaved() ? linkOf(event) : null;
      if (!link) return;
      event.preventDefault();
      event.stopPropagation();
      leave(() => router.push(link.pathname + link.search + link.hash));
    }
    // Older browsers have no such event, and discard the input.
    const { navigation } = window as { navigation?: Navigation };
    function onNavigate(event: NavigateEvent) {
      const { destination, navigationType, cancelable } = event;
      if (navigationType !== "traverse" || !cancelable || !destination.sameDocument) return;
      // On the same page, Back may close a dialog. The parts of a page keep their input.
      const isSamePage = new URL(destination.url).pathname === location.pathname;
      const within = isSamePage ? document.querySelector("[role=dialog]") : document.body;
      if (!within || !hasUnsaved(within)) return;
      event.preventDefault();
      leave(() => void navigation?.traverseTo(destination.key), within);
    }
    const onUnload = (event: BeforeUnloadEvent) => {
      if (hasUnsaved()) event.preventDefault();
    };
    // In the capture phase on the window, because React handles links on the document.
    window.addEventListener("click", onClick, { capture: true });
    window.addEventListener("beforeunload", onUnload);
    navigation?.addEventListener("navigate", onNavigate);
    return () => {
      window.removeEventListener("click", onClick, { capture: true });
      window.removeEventListener("beforeunload", onUnload);
      navigation?.removeEventListener("navigate", onNavigate);
    };
  }, [router]);
  return (
    <ConfirmDialog
      open={leaving !== null}
      onOpenChange={(open) => {
        if (!open) setLeaving(null);
      }}
      title="Discard your input?"
      consequence="The form has input that is not saved. Nothing has changed so far."
      action="Discard"
      cancel="Keep editing"
      onConfirm={async () => {
        if (!leaving) return;
        discardUnsaved(leaving.within);
        leaving.go();
      }}
    />
  );
}

/** linkOf returns the link that a click follows in this tab. A link inside the form, such as Cancel, is deliberate. */
function linkOf(event: MouseEvent): HTMLAnchorElement | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!link || link.target === "_blank" || link.hasAttribute("download") || link.closest("form")) return null;
  const isHere = link.pathname === location.pathname && link.search === location.search;
  return link.origin === location.origin && !isHere ? link : null;
}
