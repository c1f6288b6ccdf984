/** The same things in an order that `roll` decides, a number of at least 0 and below 1 each time. */
export function shuffled<Thing>(things: readonly Thing[], roll: () => number): Thing[] {
  const order = [...things];
  for (const [at, thing] of things.entries()) {
    const other = Math.floor(roll() * (at + 1));
    order[at] = order[other] ?? thing;
    order[other] = thing;
  }
  return order;
}
