import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";

export type ContainerImage = { name: string; tag: string | null; where: string };

/** containerImages lists the images that deploy/ and docker-compose.yml start from, without stages and `scratch`. */
export function containerImages(root: string): ContainerImage[] {
  const dockerfiles = readdirSync(path.join(root, "deploy"))
    .filter((file) => file.endsWith("Dockerfile"))
    .map((file) => `deploy/${file}`);
  const built = dockerfiles.flatMap((where) => {
    const text = readFileSync(path.join(root, where), "utf8");
    const stages = [...text.matchAll(/^FROM \S+ AS (\S+)$/gim)].map((match) => match[1]);
    return [...text.matchAll(/^FROM (\S+)/gim)]
      .flatMap(([, reference = ""]) => (stages.includes(reference) || reference === "scratch" ? [] : [reference]))
      .map((reference) => ({ ...parseReference(reference), where }));
  });
  const where = "docker-compose.yml";
  const { services } = parse(readFileSync(path.join(root, where), "utf8"), { merge: true }) as {
    services: Record<string, { image?: string }>;
  };
  const named = Object.values(services).flatMap(({ image }) => (image ? [{ ...parseReference(image), where }] : []));
  return [...built, ...named];
}

function parseReference(reference: string): { name: string; tag: string | null } {
  const [, name = reference, tag] = /^(.+?)(?::([^/:@]+))?(?:@.*)?$/.exec(reference) ?? [];
  return { name, tag: tag ?? null };
}
