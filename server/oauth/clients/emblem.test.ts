import { expect, test } from "vitest";
import { emblemColours, emblemOf, emblemSigns } from "./emblem";

const drawn = (clientId: string) => emblemOf({ clientId, emblemSign: null, emblemColour: null });

test("an emblem is drawn from the id, and ids use every sign and colour", () => {
  const ids = Array.from({ length: 500 }, (_, id) =>
    `${((id * 7919) % 0xffffff).toString(16).padStart(6, "0")}${((id * 104_729) % 0xffffff).toString(16).padStart(6, "0")}`.padEnd(
      32,
      "0",
    ),
  );
  const emblems = ids.map(drawn);
  expect(emblems).toEqual(ids.map(drawn));
  expect(new Set(emblems.map(({ sign }) => sign)).size).toBe(emblemSigns.length);
  expect(new Set(emblems.map(({ colour }) => colour)).size).toBe(emblemColours.length);
});

test("a choice replaces the drawn part alone, and one that we no longer ship is drawn again", () => {
  const clientId = "0123456789abcdef".repeat(2);
  const chosen = emblemOf({ clientId, emblemSign: "vault", emblemColour: null });
  expect(chosen).toEqual({ ...drawn(clientId), sign: "vault" });
  expect(emblemOf({ clientId, emblemSign: "gone", emblemColour: "gone" })).toEqual(drawn(clientId));
});
