import { ChevronRight } from "lucide-react";
import { Link } from "../ui/action/link.tsx";

/** The path to the parent of an object, above its name. */
export function Crumbs({ trail }: { trail: { label: string; href: string }[] }) {
  return (
    <nav aria-label="Breadcrumbs">
      <ol className="flex flex-wrap items-center gap-1">
        {trail.map((step, i) => (
          <li key={step.href} className="flex items-center gap-1">
            {i > 0 ? <ChevronRight className="size-3.5" aria-hidden /> : null}
            <Link href={step.href} className="hover:text-ink hover:underline">
              {step.label}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
