import { TextLink } from "../ui/action/text-link.tsx";

export function ClusterLink({ id, name }: { id: string; name: string }) {
  return (
    <TextLink href={`/clusters/${id}`} tabIndex={-1}>
      {name}
    </TextLink>
  );
}
