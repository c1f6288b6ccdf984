import { expect, test } from "vitest";
import { sortWithLinks } from "./data-table";

const rows = [
  { name: "beta", price: 2 },
  { name: "Alpha", price: null },
  { name: "gamma", price: 10 },
];
const name = { key: "name", sortBy: (row: (typeof rows)[number]) => row.name };
const price = { key: "price", sortBy: (row: (typeof rows)[number]) => row.price };
const actions = { key: "actions" };
const sorted = (typed: string | undefined) =>
  sortWithLinks(rows, [name, price, actions], {
    typed,
    page: "/list",
    query: { state: "Okay", name: undefined },
    anchor: "members",
  });

test.each([
  ["name", ["Alpha", "beta", "gamma"]],
  ["-name", ["gamma", "beta", "Alpha"]],
  ["price", ["beta", "gamma", "Alpha"]],
  ["-price", ["gamma", "beta", "Alpha"]],
  [undefined, ["beta", "Alpha", "gamma"]],
  ["toString", ["beta", "Alpha", "gamma"]],
  ["-", ["beta", "Alpha", "gamma"]],
  ["actions", ["beta", "Alpha", "gamma"]],
])(
  "an address with sort=%s orders the table, and rows without a value come last",
  (typed, names) => {
    expect(sorted(typed).rows.map(({ name }) => name)).toEqual(names);
  },
);

test("a column leads to the page ordered by it, and ordered by it already to the other end first; the rest of the address stays", () => {
  expect(sorted(undefined).sortOf(price)).toEqual({
    href: "/list?state=Okay&sort=-price#members",
    direction: undefined,
  });
  expect(sorted("-price").sortOf(price)).toEqual({
    href: "/list?state=Okay&sort=price#members",
    direction: "descending",
  });
  expect(sorted("price").sortOf(price)).toEqual({
    href: "/list?state=Okay&sort=-price#members",
    direction: "ascending",
  });
  expect(sorted("price").sortOf(name)).toEqual({
    href: "/list?state=Okay&sort=name#members",
    direction: undefined,
  });
  expect(sorted("price").sortOf(actions)).toBeUndefined();
});
