/** compareVersions orders versions as npm, Go and PyPI do: by their numbers, and 2.0.0-rc.1 before 2.0.0. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [split(a), split(b)];
  return compareParts(left.release, right.release) || comparePrerelease(left.prerelease, right.prerelease);
}

function split(version: string): { release: string[]; prerelease: string[] } {
  const [, release = "", prerelease = ""] = /^v?([\d.]*)-?(.*)$/.exec(version) ?? [];
  return { release: release.split("."), prerelease: prerelease ? prerelease.split(".") : [] };
}

function comparePrerelease(a: string[], b: string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  return compareParts(a, b);
}

function compareParts(a: string[], b: string[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [left, right] = [a[i] ?? "0", b[i] ?? "0"];
    const difference = Number(left) - Number(right);
    if (difference) return difference;
    if (Number.isNaN(difference) && left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
