import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";

/** writeAtomically replaces a file atomically: a reader sees the old content or the new, never a mix. */
export async function writeAtomically(file: string, text: string, mode: number): Promise<void> {
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    const handle = await open(temporary, "wx", mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}
