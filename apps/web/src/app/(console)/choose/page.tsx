import type { Metadata } from "next";
import { ChoicePage } from "@/components/choice/choice-page.tsx";

export const metadata: Metadata = { title: "Choose" };

export default function Page() {
  return <ChoicePage />;
}
