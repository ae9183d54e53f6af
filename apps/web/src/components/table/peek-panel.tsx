"use client";
import { ArrowUpRight, X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import { type ReactNode, useSyncExternalStore } from "react";
import { Button } from "../ui/action/button.tsx";
import { IconButton } from "../ui/action/icon-button.tsx";
import { Link } from "../ui/action/link.tsx";

/** Below this width the panel covers the list. */
const coversTheList = "(width < 64rem)";

type PeekPanelProps = {
  title: ReactNode;
  kind: string;
  href?: string | undefined;
  onClose: () => void;
  /** Restores focus once the panel is closed. */
  onClosed: () => void;
  children: ReactNode;
};

/** A view of one row next to the list. If there is no room, it is a dialog over the list. */
export function PeekPanel(props: PeekPanelProps) {
  const covers = useSyncExternalStore(subscribe, isCovering, () => false);
  return covers ? <PeekDialog {...props} /> : <PeekAside {...props} />;
}

const place =
  "fixed inset-0 flex flex-col bg-canvas outline-none md:left-auto md:w-[26rem] md:border-l md:shadow-float";

function PeekAside(props: PeekPanelProps) {
  function close() {
    props.onClose();
    props.onClosed();
  }
  return (
    <aside
      tabIndex={-1}
      aria-label={`${props.kind}, peek`}
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
      }}
      className={`${place} z-30 lg:static lg:z-auto lg:shrink-0 lg:shadow-none`}
    >
      <PeekContent
        {...props}
        title={<h2 className="break-words font-semibold text-base">{props.title}</h2>}
        onClose={close}
      />
    </aside>
  );
}

function PeekDialog(props: PeekPanelProps) {
  return (
    <Primitive.Root
      open
      onOpenChange={(open) => {
        if (!open) props.onClose();
      }}
    >
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-30 bg-overlay" />
        <Primitive.Content
          aria-describedby={undefined}
          // Focuses the panel itself, so that a screen reader reads it from the start.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            props.onClosed();
          }}
          className={`${place} z-40`}
        >
          <PeekContent
            {...props}
            title={<Primitive.Title className="break-words font-semibold text-base">{props.title}</Primitive.Title>}
          />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

function PeekContent({ title, kind, href, onClose, children }: Omit<PeekPanelProps, "onClosed">) {
  return (
    <>
      <header className="flex items-start gap-2 border-b px-4 py-3">
        <div className="min-w-0 flex-1">
          <p className="text-muted text-xs">{kind}</p>
          {title}
        </div>
        {href ? (
          <Button asChild size="sm">
            <Link href={href}>
              Open
              <ArrowUpRight aria-hidden />
            </Link>
          </Button>
        ) : null}
        <IconButton label="Close the peek" hint="Close (Esc)" size="icon-sm" onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 py-4">{children}</div>
    </>
  );
}

function isCovering(): boolean {
  return window.matchMedia(coversTheList).matches;
}

function subscribe(listener: () => void): () => void {
  const media = window.matchMedia(coversTheList);
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}
