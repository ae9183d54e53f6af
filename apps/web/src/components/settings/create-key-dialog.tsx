"use client";
import type { CreatedApiKey } from "@fairlead/domain";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { CommandLine } from "@/components/ui/command-line.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { CreateKeyForm } from "./create-key-form.tsx";
import { curlExample } from "./curl-example.ts";
import { ShownOnce } from "./shown-once.tsx";

/** Makes a key, then shows it this once with a line that uses it. */
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
      title={made ? `The key ${made.name}` : "Make an API key"}
      {...(made
        ? {}
        : { description: "It belongs to the organisation, and may what both its role and its scopes allow." })}
    >
      {made ? (
        <>
          <ShownOnce label="API key" value={made.key}>
            <p className="pt-1 font-medium text-sm">Try it</p>
            <CommandLine label="A line that uses the key" command={curlExample(url, made.key, made.scopes)} />
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
