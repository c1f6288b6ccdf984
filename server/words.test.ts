import { expect, test } from "vitest";
import { partsOfNothing, readSourceTree } from "./testing/source-tree";

/** Pages, and the sentences of pages, notices and messages. */
const pages = /^app\/.*\.tsx?$/;
const tables =
  /^server\/(scopes|auth\/sign-in-refused|auth\/second-factor\/try-code|users\/keys\/call-game|faction\/banking\/describe-request|faction\/chat-events\/show-events)\.ts$/;
/** The reference is about any game, as the API is. */
const reference = /^app\/(docs|api)\//;

const tree = readSourceTree();
const read = tree
  .filter(({ path }) => (pages.test(path) || tables.test(path)) && !/\.test\.tsx?$/.test(path))
  .map(({ path, text }) => ({
    path,
    text: text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "").replace(/\s+/g, " "),
  }));

const found = (sentence: RegExp, files = read) =>
  files.flatMap(({ path, text }) =>
    [...text.matchAll(new RegExp(sentence, "gi"))].map(([words]) => `${path}: ${words}`),
  );

test("each page and table that is read here is there", () => {
  expect(partsOfNothing([pages, tables, reference], tree)).toEqual([]);
});

test("on pages the game is called by its name, which is a setting", () => {
  const files = read.filter(({ path }) => !reference.test(path));
  expect(found(/.{0,40}\bthe game\b.{0,20}/, files)).toEqual([]);
});

/** Unnatural sentences, whole or by their typical words. */
const unsaid: readonly RegExp[] = [
  /a key of the game/,
  /sent to the game once/,
  /which data is retrieved is needed/,
  /with whom the data is shared/,
  /what do you take\?|when you throw it away/,
  /leave over one too many/,
  /it can call what needs none/,
  /what you registered, and how it stands/,
  /it is no secret/,
  /both places are taken/,
  /known by player, not by device/,
  /our part, without the way/,
  /came to nothing|of which errors/,
  /are written down/,
  /nothing is sent to anybody|the rules are read beside/,
  />Judged<|"In order"|"Fault"|this is neither/,
  /who follows it is not asked|below stands why|why stands/,
  /it worked and was no api call/,
  /below each permission stands/,
  /words of the owner/,
  /either way you go on|you answer as/,
  /this wants a sign-in/,
  /take permissions away|keep only what is ticked/,
  /never mind|until you let it go on/,
  /keeps for you, and asking for it/,
  /"of your"|wait for at most|"ask for it"/,
  /that is no amount|it must come to/,
  /nothing was asked for/,
  /you asked for nothing yet|nothing to tell/,
  /faction's alone|newest of them/,
  /which goes before/,
  /if you do not know a line/,
  /\bwhoever\b|\bwhat (applications are|is|this token is) told\b|\bby chance\b/,
];

test.each(unsaid.map((sentence) => [sentence]))("no page says %s", (sentence) => {
  expect(found(sentence)).toEqual([]);
});
