/** imageOf returns the package with the kernel itself, from what `apt-cache depends` prints of one that always depends on the newest. */
export function imageOf(name: string, depends: string): string {
  const image = depends.match(/Depends: (linux-image-\S+)/)?.[1];
  if (!image) throw new Error(`${name} depends on no kernel: run apt-get update, and use Debian 12 or newer`);
  return image;
}
