/** signInHref leads to the sign-in page, and from there back to where the person was. */
export function signInHref(here: string): string {
  return here === "/" ? "/sign-in" : `/sign-in?returnTo=${encodeURIComponent(here)}`;
}
