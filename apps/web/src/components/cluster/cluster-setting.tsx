"use client";
import type { ClusterSettingName } from "@fairlead/domain/cluster";
import type { LucideIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import type { DocsTopic } from "@/components/docs/docs-topics.ts";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { Dialog } from "@/components/ui/overlay/dialog.tsx";

type ClusterSettingProps = {
  /** The anchor of the section on the page, which links name. */
  id: ClusterSettingName;
  title: string;
  /** A link to the page that shows the effect of the setting. */
  link: { href: string; label: string } | null;
  action: { icon: LucideIcon; label: string };
  dialog: { title: string; description: string; docs?: DocsTopic };
  form: (onDone: () => void) => ReactNode;
  children: ReactNode;
};

/** A setting of the cluster: its value or a hint if it is not set, and the form that changes it. */
export function ClusterSetting({ id, title, link, action, dialog, form, children }: ClusterSettingProps) {
  const [isOpen, setOpen] = useState(false);
  const { icon: Icon, label } = action;
  return (
    <div id={id} className="scroll-mt-16">
      <Section
        title={title}
        actions={
          <>
            {link ? (
              <TextLink href={link.href} className="text-accent text-sm">
                {link.label}
              </TextLink>
            ) : null}
            <GuardedButton permission="cluster:write" size="sm" onClick={() => setOpen(true)}>
              <Icon aria-hidden />
              {label}
            </GuardedButton>
          </>
        }
      >
        {children}
      </Section>
      <Dialog open={isOpen} onOpenChange={setOpen} wide {...dialog}>
        {isOpen ? form(() => setOpen(false)) : null}
      </Dialog>
    </div>
  );
}

/** The text if it is not set. */
export function Unset({ children }: { children: ReactNode }) {
  return <p className="py-2 text-muted text-sm">{children}</p>;
}
