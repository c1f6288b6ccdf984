import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { selectionsFor } from "#server/game/selections";
import { newKeyUrl } from "#server/game/site-urls";
import { NewKeyLinks } from "./sign-in-forms";

test("a new key is one click away in the game, and the page says what it reads; the demo's game has no page", () => {
  const selections = selectionsFor({ scopes: ["faction:attacks"] });
  const shown = (demo: "off" | "alive") =>
    renderToStaticMarkup(
      NewKeyLinks({
        game: "Torn",
        keys: [{ purpose: "For Muster Roll", selections, url: newKeyUrl({ demo }, selections) }],
      }),
    );
  for (const demo of ["off", "alive"] as const)
    expect(shown(demo)).toContain(
      "user: profile, discord, faction · faction: basic, members, positions, attacks",
    );
  expect(shown("off")).toContain(
    'href="https://www.torn.com/preferences.php#tab=api?step=addNewKey&amp;title=Adjutant&amp;user=profile,discord,faction&amp;faction=basic,members,positions,attacks"',
  );
  expect(shown("alive")).not.toContain("href");
});
