import path from "node:path";
import { parseArgs } from "node:util";
import type { Round, Running, Subject } from "./subject";
import { bareNode } from "./subjects/bare-node";
import { betterAuthRead, betterAuthRefresh, betterAuthSigned } from "./subjects/better-auth";
import {
  account,
  developers,
  docs,
  landing,
  userBesidePages,
  userPaced,
  userPagesElsewhere,
} from "./subjects/pages";
import { flaskRead, flaskRefresh, oidcRead, oidcRefresh } from "./subjects/peers";
import { pgbench } from "./subjects/pgbench";
import { readUser, readUserCached, readUserEmbedded, readUserLocal } from "./subjects/read-user";
import { refresh } from "./subjects/refresh";
import { streams, userBesideNone, userBesideStreams } from "./subjects/streams";
import { trivialNext, trivialPage } from "./subjects/trivial-next";
import { tableOf } from "./table";
import { hasWrk, putLoad } from "./wrk";

/**
 * `npm run bench [-- --rounds 6 --seconds 5 --connections 32 --before ../other N T …]` measures every subject, or those named, in
 * interleaved rounds, and prints the medians; with another installation of the product beside this one, those of both. Absolute figures differ from machine to machine; the ratios of one run count.
 */
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "6" },
    seconds: { type: "string", default: "5" },
    connections: { type: "string", default: "32" },
    before: { type: "string" },
  },
});
const subjects: Subject[] = [
  bareNode,
  trivialNext,
  readUser,
  readUserCached,
  readUserLocal,
  readUserEmbedded,
  flaskRead,
  oidcRead,
  betterAuthRead,
  betterAuthSigned,
  refresh,
  flaskRefresh,
  oidcRefresh,
  betterAuthRefresh,
  pgbench,
  userBesideNone,
  userBesideStreams,
  streams,
  trivialPage,
  landing,
  docs,
  developers,
  account,
  userPaced,
  userBesidePages,
  userPagesElsewhere,
];
const warmUpSeconds = 2;
// Each server that is started listens for the end of this process, so that none is left behind.
process.setMaxListeners(50);
const say = (line: string) => process.stdout.write(`${line}\n`);

const unknown = wanted.find((id) => !subjects.some((subject) => subject.id === id));
if (unknown) {
  say(
    `There is no subject "${unknown}". There are: ${subjects.map((subject) => subject.id).join(", ")}.`,
  );
  process.exit(2);
}
if (!(await hasWrk())) {
  say("Left out: everything, because wrk is not on the PATH (Debian: apt-get install wrk).");
  process.exit(0);
}

const root = path.join(import.meta.dirname, "..");
/** What to measure, and in which installation. */
const chosen = subjects
  .filter(({ id }) => wanted.length === 0 || wanted.includes(id))
  .flatMap((subject) => [
    ...(values.before && subject.isOurs ? [beforeOf(subject, path.resolve(values.before))] : []),
    { subject, installation: root },
  ]);

function beforeOf(subject: Subject, installation: string) {
  const { id, title, besides } = subject;
  const own = {
    id: `${id}-before`,
    title: `before: ${title}`,
    ...(besides && { besides: `${besides}-before` }),
  };
  return { subject: { ...subject, ...own }, installation };
}

const started: { subject: Subject; running: Running; rounds: Round[] }[] = [];
try {
  for (const { subject, installation } of chosen) {
    const running = await subject.start(installation);
    if ("leftOut" in running) say(`Left out: ${subject.title}, because ${running.leftOut}`);
    else started.push({ subject, running, rounds: [] });
  }
  const load = { connections: Number(values.connections), seconds: Number(values.seconds) };
  // The first round warms up and does not count. Rounds are interleaved, so that a busy minute hits all alike, and every other one goes
  // backwards: each subject still writes its log while the next is measured.
  for (let round = 0; round <= Number(values.rounds); round++) {
    say(round === 0 ? "Warming up …" : `Round ${round} of ${values.rounds} …`);
    for (const { running, rounds } of round % 2 === 0 ? started : started.toReversed()) {
      const seconds = round === 0 ? warmUpSeconds : load.seconds;
      const result = await (running.load?.(seconds) ??
        putLoad(running, { connections: running.connections ?? load.connections, seconds }));
      if (round > 0) rounds.push(result);
    }
  }
  say(tableOf(started.map(({ subject, rounds }) => ({ ...subject, rounds }))));
} finally {
  for (const { running } of started) await running.stop();
}
