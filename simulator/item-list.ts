export interface ListedItem {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly type: string;
  /** Range of the market price; null if the item cannot be traded. */
  readonly worth: readonly [low: number, high: number] | null;
}

interface Kind {
  readonly type: string;
  readonly about: string;
  readonly worth: ListedItem["worth"];
  /** Separated by commas. */
  readonly names: string;
}

const kinds: readonly Kind[] = [
  {
    type: "Flower",
    about: "It grows where nobody looks, and wilts where everybody does.",
    worth: [600, 90_000],
    names:
      "Salt Poppy, Night Clover, Ash Lily, Ferry Rose, Tin Orchid, Blue Sorrel, Kiln Daisy, Marsh Crocus, Paper Iris, Widow's Thistle",
  },
  {
    type: "Plushie",
    about: "Stuffed with sawdust and good intentions.",
    worth: [800, 70_000],
    names:
      "Plush Heron, Plush Badger, Plush Lynx, Plush Otter, Plush Tapir, Plush Walrus, Plush Ibex, Plush Gecko, Plush Moth, Plush Carp",
  },
  {
    type: "Alcohol",
    about: "One of these makes the evening shorter.",
    worth: [400, 60_000],
    names:
      "Harbour Stout, Lighthouse Gin, Cellar Mead, Ropewalk Rum, Orchard Cider, Foundry Schnapps, Pale Ferryman, Widow's Port, Kelp Vodka, Bonded Rye",
  },
  {
    type: "Candy",
    about: "It sticks to the teeth and to the story.",
    worth: [200, 40_000],
    names:
      "Toffee Anchor, Mint Pebble, Ginger Coin, Sugar Compass, Liquorice Rope, Honey Brick, Barley Twist, Cocoa Button, Salted Fudge, Lemon Shard",
  },
  {
    type: "Drug",
    about: "The label says to ask somebody first.",
    worth: [5_000, 900_000],
    names:
      "Bottled Fog, Grey Lace, Quickmoss, Sleepless, Copper Dust, Velvet Haze, Tern Powder, Lull, Glass Pollen, Second Wind",
  },
  {
    type: "Medical",
    about: "It helps until help comes.",
    worth: [2_000, 120_000],
    names:
      "Field Dressing, Burn Salve, Splint Kit, Saline Bag, Iron Tonic, Surgeon's Thread, Second Opinion, Cold Pack, Plasma Flask, Ward Blanket",
  },
  {
    type: "Energy Drink",
    about: "The can is warm, which is how you know that it works.",
    worth: [300_000, 3_000_000],
    names:
      "Can of Spark, Can of Thunderhead, Can of Tide, Can of Ember, Can of Gale, Can of Quarry, Can of Meteor, Can of Bramble, Can of Static, Can of Dawn",
  },
  {
    type: "Booster",
    about: "It does once what practice does always.",
    worth: [500_000, 60_000_000],
    names:
      "Picnic Hamper, Grey Almanac, Amber Flare, Chess Problem, Riding Lesson, Lucky Ferrule, Wet Stone, Box of Fireworks, Opera Ticket, Tuning Fork",
  },
  {
    type: "Jewelry",
    about: "Somebody misses it.",
    worth: [4_000, 20_000_000],
    names:
      "Tourmaline Ring, Jet Brooch, Pearl Stud, Agate Seal, Signet of Nobody, Silver Locket, Coral Bangle, Moonstone Pin, Garnet Drop, Gilded Watch",
  },
  {
    type: "Tool",
    about: "A good one opens doors; a better one closes them again.",
    worth: [1_500, 2_500_000],
    names:
      "Skeleton File, Glass Cutter, Rope Ladder, Carbide Lamp, Dial Ear, Velvet Disguise, Signal Jammer, Bolt Cropper, Forger's Pen, Blank Passport",
  },
  {
    type: "Collectible",
    about: "Worth what the last person paid, and the last person has moved.",
    worth: [50_000, 900_000_000],
    names:
      "Sealed Cargo Crate, Founder's Medal, First Stamp, Brass Automaton, Cracked Bell, Ship in a Bottle, Misprinted Map, Duelling Glove, Stage Dagger, Clockwork Wren",
  },
  {
    type: "Unused",
    about: "It cannot be sold. Many have tried.",
    worth: null,
    names:
      "Unreleased Reel, Library Card, Visitor's Badge, Parole Letter, Unpaid Bill, House Key, Old Photograph, Jury Summons, Ticket Stub, Empty Envelope",
  },
];

/** An item's id never equals a stock's. */
const firstId = 101;

export const listedItems: readonly ListedItem[] = kinds
  .flatMap(({ names, about, ...kind }) =>
    names.split(", ").map((name) => ({ ...kind, name, description: about })),
  )
  .map((item, index) => ({ id: firstId + index, ...item }));
