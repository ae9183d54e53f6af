"use client";
import type { CreatedApiKey } from "@fairlead/domain/access";
import { useState } from "react";
import { Button } from "@/components/ui/action/button.tsx";
import { CommandLine } from "@/components/ui/action/command-line.tsx";
import { Dialog } from "@/components/ui/overlay/dialog.tsx";
import { CreateKeyForm } from "./create-key-form.tsx";
import { curlExample } from "./curl-example.ts";
import { ShownOnce } from "./shown-once.tsx";

/** Creates a key, then shows it once with an example command. */
export function CreateKeyDialog({ url, open, onClose }: { url: string; open: boolean; onClose: () => void }) {
  const [made, setMade] = useState<CreatedApiKey | null>(null);
  function close(): void {
    setMade(null);
    onClose();
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) close();
      }}
      wide
      title={made ? `The key ${made.name}` : "Create an API key"}
      {...(made
        ? {}
        : { description: "It belongs to the organisation. It can do what both its role and its scopes allow." })}
    >
      {made ? (
        <>
          <ShownOnce label="API key" value={made.key}>
            <p className="pt-1 font-medium text-sm">Example</p>
            <CommandLine label="Example command" command={curlExample(url, made.key, made.scopes)} />
          </ShownOnce>
          <div className="flex justify-end pt-4">
            <Button onClick={close}>Done</Button>
          </div>
        </>
      ) : (
        <CreateKeyForm onMade={setMade} onCancel={close} />
      )}
    </Dialog>
  );
}
