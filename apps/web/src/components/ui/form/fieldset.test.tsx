import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Fieldset } from "./fieldset.tsx";

it("is named by its title, without the text of the link next to it", () => {
  const html = renderToStaticMarkup(
    <Fieldset title="Ports" docs="ports" legendClassName="text-sm">
      fields
    </Fieldset>,
  );
  const [, id] = /<fieldset aria-labelledby="([^"]+)"/.exec(html) ?? [];
  expect(id).toBeTruthy();
  expect(html).toContain(`<span id="${id}">Ports</span>`);
  expect(html).toContain("Docs: ");
});
