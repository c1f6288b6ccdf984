/**
 * UTS #39 confusables, small capitals, enclosed letters, and digits and signs used as letters.
 * Compatibility forms and accents are folded before the lookup.
 */
const lookalikes: Readonly<Record<string, string>> = {
  a: "4@ɑʌαλаᗅᴀ⍶⍺ꓮꭺ𐊠𖽀🅐🅰🇦",
  c: "¢ȼςсҫᴄ₡ⲥꓚꮯ𐊢𐌂𐐽𐔜𑣩𑣲🅒🅲🇨🝌",
  d: "ðđƌɖɗԁᑯᗞᗪᴅ₫∂ꓒꓓꭰꮷ🅓🅳🇩",
  e: "3ɇεеҽҿᴇ€℮⋿ⴹꓰꬲꭼ𐊆𑣆𑣎🅔🅴🇪",
  f: "ƒϝքᖴᵮẝꓝꜰꞙꬵ𐊇𐊥𐔥𑣂𝈓🅕🅵🇫",
  i: "l!1|ıɨɩɪιіӏᵻᵼ⍳⍸ꙇꭵ𑣃🅘🅸🇮łƚǀɫɭʟ׀וןا١ٳ۱ߊᒪᛁ∣⏽│ⲓⳑⵏꓡꓲꮮ𐊊𐌉𐌠𐑃𐔦𑣒𖼖𖼨𝈪𞣇🅛🅻🇱",
  j: "ȷɉʝϳјյᒍᴊꓙꭻ🅙🅹🇯",
  n: "ƞɲɳɴηνипոռᵰⲛꓠ𐆎𐔓🅝🅽🇳",
  o: "0øɵθοσоѳөօסه٥ھہە۵ۿ߀०০੦૦ଠ୦௦౦೦ഠ൦๐໐တဝ၀ჿዐᴏᴑ⊖⊝⍬ⲟⴱⵁⵔ〇ꓳꝋꬽꬾꭴꮎꮻ𐊒𐊫𐐬𐓪𐔖𑓐𑣈𑣕𑣗𑣠𝈚🅞🅾🇴🜔",
  r: "ɍɼɽʀгяғᖇᴦᵲⲅꓣꭇꭈꭱꮁꮢ𐓜𖼵𝈖🅡🆁🇷",
  t: "+7ŧƭʈτтҭᴛᵵ†₮⊤⍡⟙ⱦⲧꓔꭲ𐊗𐊱𐌕𑣜𖼊🅣🆃🇹🝨",
  u: "vʉʋμυցսሀᑌᴜᵾ∪⋃ꓴꞟꭎꭒꮜ𐓶𑣘𖽂🅤🆄🇺ѵט٧۷ᐯᴠ∨⋁ⴸꓦꛟꮩ𐆗𐔝𑜆𑣀𖼈𝈍🅥🆅🇻🜈",
};

const letterOf: ReadonlyMap<string, string> = new Map(
  Object.entries(lookalikes).flatMap(([letter, signs]) =>
    [...signs].map((sign): [string, string] => [sign, letter]),
  ),
);

export function confusableSkeleton(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "");
  const letters = [...plain].map((sign) => letterOf.get(sign) ?? sign).join("");
  // "cl" and "ci" look like a d in many typefaces.
  return letters.replace(/[^\p{L}\p{N}]/gu, "").replaceAll("ci", "d");
}

/** Emoji selectors and joiners are removed before this test. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]/u;
const emojiParts =
  /(\p{Extended_Pictographic}|\p{Emoji_Modifier})\uFE0F?(?:\u200D(?=\p{Extended_Pictographic}))?/gu;
/** No living script needs three marks on one letter. */
const stackedMarks = /\p{M}{3}/u;
/** Marks that services use for a verified identity. */
const checkMarks = /[\u2705\u2713\u2714\u2611\u{1F5F8}\u{1F5F9}\u{1FBB1}\u237B\u221A]/u;

const productName = confusableSkeleton("Adjutant");
const badges = ["official", "verified"].map(confusableSkeleton);
/** "Unofficial" claims nothing, so it is allowed. */
const denied = new RegExp(
  `(?:${["un", "non", "not"].map(confusableSkeleton).join("|")})(${badges.join("|")})`,
  "g",
);

/**
 * Players trust the name on the consent page, so it must not read as this service's own or carry a
 * check mark.
 */
export function whyNotApplicationName(name: string): string | undefined {
  if (invisible.test(name.replace(emojiParts, "$1")))
    return "A name cannot contain invisible characters.";
  if (stackedMarks.test(name)) return "A name cannot have more than two combining marks in a row.";
  if (checkMarks.test(name))
    return "A name cannot contain a check mark: an admin verifies applications.";
  // A sign may replace a letter or separate two letters.
  const readings = [name, name.replace(/[\p{P}\p{S}]/gu, "")].map(confusableSkeleton);
  if (readings.some((read) => read.includes(productName)))
    return "A name cannot contain “Adjutant” or look like it: that is this service.";
  if (readings.some((read) => badges.some((badge) => read.replace(denied, "").includes(badge))))
    return "A name cannot say that it is official or verified: an admin verifies applications.";
  return undefined;
}

const comparable = (name: string): string =>
  name.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();

export const isSameName = (one: string, other: string): boolean =>
  comparable(one) === comparable(other);
