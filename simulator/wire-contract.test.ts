import { describe, expect, test } from "vitest";
import { z } from "zod";
import { gameOverFetch } from "#server/testing/game-over-fetch";
import { gameShapes } from "#server/testing/game-shapes/game-shapes";
import { sections } from "./answer";

/** Selections that need a parameter or have several answers by it. */
const variants: Readonly<Record<string, readonly string[]>> = {
  "user/personalstats": ["cat=popular"],
  "user/attacks": ["", "limit=3", "sort=ASC"],
  "faction/attacks": ["", "limit=3&sort=ASC"],
  "faction/news": ["cat=giveFunds"],
  "faction/crimes": ["", "cat=available", "cat=completed&offset=20", "sort=ASC&limit=5"],
};

const selections = Object.entries(sections).flatMap(([name, section]) =>
  Object.keys(section.selections).map((selection) => `${name}/${selection}`),
);

const shapeOf = (path: string) => {
  const [section = "", selection = ""] = path.split("/");
  return gameShapes[section]?.[selection];
};

test("every selection that is served is described, and none is described that is not served", () => {
  const described = Object.entries(gameShapes).flatMap(([name, shapes]) =>
    Object.keys(shapes).map((selection) => `${name}/${selection}`),
  );
  expect(described.sort()).toEqual([...selections].sort());
});

function expectShape(shape: z.ZodType | undefined, answer: unknown, path: string): void {
  const read = shape?.safeParse(answer);
  expect(
    read?.success ? [] : [path, read ? z.prettifyError(read.error) : "no shape", answer],
  ).toEqual([]);
}

describe.each(["small", "demo"] as const)("in the %s world", (world) => {
  const { control, get, keys } = gameOverFetch({ world });

  test.each(selections)("%s answers as the game's documentation says", async (path) => {
    for (const person of ["developer", "banker"] as const) {
      control.advance({ seconds: 17_000 });
      for (const query of variants[path] ?? [""])
        expectShape(shapeOf(path), await get(`${path}?${query}`, keys[person]), `${path}?${query}`);
    }
  });

  test("what is public can be asked about anybody, whatever their state", async () => {
    const people: number[] = [];
    for (const factionId of [7001, 7002]) {
      const { members } = await get(`faction/${factionId}/members`, keys.loner);
      people.push(...members.map(({ id }: { id: number }) => id));
    }
    const selected = ["profile", "discord", "faction"];
    const whole = z.strictObject(
      Object.assign({}, ...selected.map((name) => (shapeOf(`user/${name}`) as z.ZodObject).shape)),
    );
    for (const id of people) {
      control.advance({ seconds: 700 });
      expectShape(
        whole,
        await get(`user?selections=${selected}&id=${id}`, keys.loner),
        `user/${id}`,
      );
    }
  });
});
