/* All names are invented. A player's name has at most 15 characters, as in the real game. */

const fronts =
  "Amber Ash Birch Bold Brass Briar Brisk Cinder Clay Cobalt Coral Crow Dawn Dusk Dust Ebon Ember Fable Fern Fir Flint Fog Frost Gale Glint Gorse Grim Gull Hazel Heath Hollow Indigo Iron Ivory Jade Juniper Keen Kelp Larch Lead Lilac Linen Lunar Maple Mica Mirth Moss Night Oak Ochre Onyx Opal Pale Pearl Pine Quartz Quick Raven Reed Rook Rowan Rust Sable Sage Salt Sand Silt Slate Sleet Smoke Snow Sol Steel Storm Teal Thorn Tin Umber Wren Zinc".split(
    " ",
  );

const backs =
  "Anvil Arrow Badger Bell Bolt Brook Cask Chord Cloak Comet Crane Drake Drum Echo Finch Flute Forge Fox Gate Ghost Glove Harp Hawk Helm Heron Hook Jack Keel Kite Knot Lance Lark Latch Lynx Mantle Mason Moth Oar Otter Owl Pike Piper Quill Ranger Rider Sail Scout Shade Smith Spark Spire Stag Tern Thief Tiller Vale Viper Wick Wolf Yarrow".split(
    " ",
  );

const factionNouns =
  "Accord Armada Assembly Bastion Brigade Cartel Choir Circle Cohort Company Compact Concord Convoy Council Coven Crew Guild Harbour Hearth Legion Lodge Order Pact Patrol Regiment Society Syndicate Tribune Union Vanguard".split(
    " ",
  );

export const places = [
  "Astervale",
  "Brindle Bay",
  "Cape Morrow",
  "Dunmere",
  "Eastholm",
  "Fallowmark",
  "Grelle",
  "Isla Corda",
  "Port Verity",
  "Sundry Keys",
  "Vastergard",
] as const;

export const homeCity = "Tallow City";

const pick = (list: readonly string[], index: number) => list[index % list.length] ?? "";

export function playerName(index: number): string {
  const front = pick(fronts, index);
  const back = pick(backs, Math.floor(index / fronts.length));
  const round = Math.floor(index / (fronts.length * backs.length));
  if (round === 0) return front + back;
  if (round === 1) return `${front}_${back}`;
  return `${front}${back}${round}`;
}

export function factionName(index: number): string {
  const front = pick(fronts, index * 7);
  const noun = pick(factionNouns, index + Math.floor(index / factionNouns.length));
  const round = Math.floor(index / (fronts.length * factionNouns.length));
  return round === 0 ? `${front} ${noun}` : `${front} ${noun} ${round + 1}`;
}

export const factionTag = (name: string) =>
  name
    .replace(/[^A-Za-z]/g, "")
    .slice(0, 4)
    .toUpperCase();
