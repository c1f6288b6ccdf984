import { expect, test } from "vitest";
import { whyNotApplicationName } from "./application-name";
import { ApplicationChanges, ApplicationInput } from "./contract";

test.each([
  "Adjutant",
  "ADJUTANT",
  " adjutant ",
  "Adjutant Bank",
  "The Adjutant",
  "MyAdjutant",
  "A d j u t a n t",
  "A.d-j_u/t·a•n|t",
  "Аdjutаnt",
  "Adϳutant",
  "Adյutant",
  "Αdjutαηt",
  "Ａｄｊｕｔａｎｔ",
  "𝐀𝐝𝐣𝐮𝐭𝐚𝐧𝐭",
  "𝒜𝒹𝒿𝓊𝓉𝒶𝓃𝓉",
  "ᴀᴅᴊᴜᴛᴀɴᴛ",
  "Ⓐⓓⓙⓤⓣⓐⓝⓣ",
  "🅐🅓🅙🅤🅣🅐🅝🅣",
  "🅰🅳🅹🆄🆃🅰🅽🆃",
  "🇦 🇩 🇯 🇺 🇹 🇦 🇳 🇹",
  "Àdjútàñt",
  "A̶d̶j̶u̶t̶a̶n̶t̶",
  "Adjut4nt",
  "4djutan7",
  "@djutant",
  "Acljutant",
  "AcIjutant",
  "Adjvtant",
  "AɖJuТaпT",
  "ᎪᎠᎫᏌᎢᎪNᎢ",
  "Adjutant ✅",
  "tnatujdA Adjutant",
])("%j can be read as the service's own name", (name) => {
  expect(whyNotApplicationName(name)).toMatch(/Adjutant|check mark/);
});

test.each([
  "Bank ✅",
  "Bank ✓",
  "✔ Bank",
  "Bank ☑️",
  "Bank 🗸",
  "√ Bank",
  "Official Bank",
  "Torn Official",
  "ＯＦＦＩＣＩＡＬ bank",
  "Оffісіаl Bank",
  "0fficia1 Bank",
  "O f f i c i a l Bank",
  "Bank (verified)",
  "Vеrifіed Bank",
  "Verif1ed",
])("%j carries a mark of being checked", (name) => {
  expect(whyNotApplicationName(name)).toMatch(/verifies applications/);
});

test.each([
  "Ba\u200Bnk",
  "Bank\u200B",
  "\uFEFFBank",
  "Ba\u00ADnk",
  "Ba\u2060nk",
  "\u202EknaB",
  "\u2067Bank",
  "\u200FBank",
  "Bank\u180E",
  "Bank\u{E0041}",
  "Bank\uFE0F",
  "Bank\u034F",
  "Ba\u3164nk",
  "Ba\u2800nk",
  "a\u200Db",
])("%j has a character that is not seen", (name) => {
  expect(whyNotApplicationName(name)).toMatch(/invisible/);
});

test.each([
  "Vault Keeper",
  "Torn Stats",
  "Unofficial bank",
  "Not official, not verified",
  "Adjunct",
  "Adjust ant",
  "Банк фракции",
  "ファクション",
  "مصرف",
  "בנק",
  "Bücher & Söhne",
  "🦊 Fox ❤️",
  "👨‍👩‍👧 Family 👍🏽",
  "Bank #1 (v2.0) – 50% off!",
  "<b>bold</b>",
  "日本語 x ไทย",
])("%j can be a name", (name) => {
  expect(whyNotApplicationName(name)).toBeUndefined();
});

test("registration and changes refuse it at the name's field", () => {
  for (const schema of [ApplicationInput, ApplicationChanges]) {
    const parsed = schema.safeParse({ name: "Аdjutant ✅" });
    expect(parsed.error?.issues.filter(({ path }) => path[0] === "name")).toMatchObject([
      { path: ["name"] },
    ]);
  }
});

test("at most two combining marks stand in a row", () => {
  expect(whyNotApplicationName("Việt Nam Bank".normalize("NFD"))).toBeUndefined();
  expect(whyNotApplicationName("a\u0301\u0302b")).toBeUndefined();
  expect(whyNotApplicationName("Ba\u0301\u0302\u0303nk")).toMatch(/combining marks/);
});
