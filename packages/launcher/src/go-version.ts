/** What the agents' go.mod asks for. */
export const oldestGo = "1.26";

/** isRecentGo reads what `go version` says, such as "go version go1.26.8 linux/amd64" or "go version devel go1.27-1a2b3c …". */
export function isRecentGo(said: string): boolean {
  const [, major, minor] = /^go version .*?\bgo(\d+)\.(\d+)/m.exec(said) ?? [];
  const [oldestMajor = 0, oldestMinor = 0] = oldestGo.split(".").map(Number);
  return Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor);
}
