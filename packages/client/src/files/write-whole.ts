import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";

/** writeWhole replaces a file at once: whoever reads it sees the old one or the new one, never half of either. */
export async function writeWhole(file: string, text: string, mode: number): Promise<void> {
  const beside = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    const handle = await open(beside, "wx", mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    throw error;
  }
}
