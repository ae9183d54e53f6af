/** describeCure states how an installation gets the agent's program. canBuild is set where it builds programs from source. */
export function describeCure(platform: NodeJS.Platform, canBuild: boolean): string {
  if (platform !== "linux") return "The program runs on Linux only: run Fairlead there, or in a container.";
  if (canBuild) return "Install Go and restart Fairlead; its output has the version.";
  return "Its image contains the program: deploy the image of this version again.";
}
