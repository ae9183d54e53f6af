const base = "http://here.invalid";

/**
 * safePath is where to go after signing in: a path of ours, or the start page. Anything that a browser could take for
 * another site ("//evil", "/\evil", "https:evil") is not a path of ours.
 */
export function safePath(wanted: string | null | undefined): string {
  if (!wanted?.startsWith("/") || wanted.length > 2_000) return "/";
  const url = URL.parse(wanted, base);
  if (!url || url.origin !== base) return "/";
  const path = url.pathname + url.search + url.hash;
  const leadsBack = url.pathname.startsWith("/sign-in") || url.pathname.startsWith("/api/");
  return leadsBack || path.startsWith("//") ? "/" : path;
}
