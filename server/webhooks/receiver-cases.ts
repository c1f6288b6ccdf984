import type { Ids } from "#server/platform/ids";
import { minuteMs } from "#server/platform/time";
import { type Attempt, failureSentences, isSuccess, shownFailure } from "./attempt";
import type { OutboundClient } from "./send-attempt";
import {
  forgeSignature,
  mintWebhookSecret,
  signWebhook,
  type WebhookHeaders,
  type WebhookMessage,
} from "./signature";

interface ReceiverCheck {
  readonly url: string;
  readonly secret: string;
  readonly send: OutboundClient["send"];
  readonly now: () => Date;
  readonly ids: Pick<Ids, "bytes" | "text">;
}

type Sent = readonly [WebhookMessage, WebhookHeaders];

interface Making {
  /** A lower `revision` is older. */
  message(type: string, revision: number, id?: string): WebhookMessage & { readonly code: string };
  sign(message: WebhookMessage): Sent;
}

interface Case {
  readonly name: string;
  readonly sent: string;
  readonly wanted: string;
  readonly accepted: boolean;
  /** The requests are sent in order, and every answer must match `accepted`. */
  requests(making: Making, check: ReceiverCheck): readonly Sent[];
}

const accept = "Answer 2xx at once.";
const refuse = "Answer 401, and do nothing.";
const lateMs = 10 * minuteMs;
const event = "vault_request.created";

const cases: readonly Case[] = [
  {
    name: "valid",
    sent: "an event with a right signature",
    wanted: accept,
    accepted: true,
    requests: ({ message, sign }) => [sign(message(event, 1))],
  },
  {
    name: "duplicate",
    sent: "the same event twice, with the same id",
    wanted: `${accept} Remember ids for eight days, and act on each once.`,
    accepted: true,
    requests: ({ message, sign }) => {
      const same = message(event, 2);
      return [sign(same), sign(same)];
    },
  },
  {
    name: "forged",
    sent: "an event signed with a secret that is not yours",
    wanted: refuse,
    accepted: false,
    requests: ({ message }, { now, ids }) => {
      const forged = message(event, 3);
      return [[forged, forgeSignature(forged, now(), ids.bytes)]];
    },
  },
  {
    name: "altered",
    sent: "a right signature over another body",
    wanted: `${refuse} Verify the bytes of the body as they came.`,
    accepted: false,
    requests: ({ message, sign }) => {
      const real = message(event, 4);
      return [[message(event, 5, real.id), sign(real)[1]]];
    },
  },
  {
    name: "late",
    sent: "a right signature that is ten minutes old",
    wanted: `${refuse} Refuse timestamps that are more than five minutes off.`,
    accepted: false,
    requests: ({ message }, { now, secret }) => {
      const late = message(event, 6);
      return [[late, signWebhook(late, new Date(now().getTime() - lateMs), [secret])]];
    },
  },
  {
    name: "rotated",
    sent: "two signatures: the first with a new secret, the second with yours",
    wanted: `${accept} One right signature of several is enough.`,
    accepted: true,
    requests: ({ message }, { now, secret, ids }) => {
      const rotated = message(event, 7);
      return [[rotated, signWebhook(rotated, now(), [mintWebhookSecret(ids.bytes), secret])]];
    },
  },
  {
    name: "out of order",
    sent: "an event with a higher revision, then an older one of the same record",
    wanted: `${accept} What has a lower revision than the record you know is old news.`,
    accepted: true,
    requests: ({ message, sign }) => [sign(message(event, 9)), sign(message(event, 8))],
  },
  {
    name: "unknown type",
    sent: "an event of a type that you do not know",
    wanted: `${accept} Ignore what you do not know.`,
    accepted: true,
    requests: ({ message, sign }) => [sign(message("example.happened", 10))],
  },
];

const idBytes = 16;

export async function checkReceiver(check: ReceiverCheck) {
  const { url, secret, send, now, ids } = check;
  const random = () => ids.text(idBytes);
  const making: Making = {
    message: (type, revision, id = `evt_check_${random()}`) => {
      const [code, timestamp] = [random(), now().toISOString()];
      const subject = { kind: "vault_request", id: "12" };
      const data =
        type === "endpoint.verify"
          ? { code }
          : { sub: "2400001", subject, revision, changed: ["status"] };
      return {
        id,
        code,
        body: JSON.stringify({ id, type, timestamp, cursor: "", test: true, data }),
      };
    },
    sign: (message) => [message, signWebhook(message, now(), [secret])],
  };
  const post = ([{ body }, headers]: Sent) => send({ url, body, headers: () => headers });
  const results: (Pick<Case, "name" | "sent" | "wanted"> & { got: string; good: boolean })[] = [];
  for (const { name, sent, wanted, accepted, requests } of cases) {
    const answers: Attempt[] = [];
    for (const request of requests(making, check)) answers.push(await post(request));
    const good = answers.every(
      (answer) => "status" in answer && isSuccess(answer.status) === accepted,
    );
    results.push({ name, sent, got: answers.map(describe).join(", then "), wanted, good });
  }
  const proof = making.message("endpoint.verify", 11);
  const answer = await post(making.sign(proof));
  const echoed =
    "status" in answer && isSuccess(answer.status) && answer.excerpt.includes(proof.code);
  results.push({
    name: "proof of ownership",
    sent: "a signed `endpoint.verify`",
    good: echoed,
    got: echoed ? `${describe(answer)} with the code` : `${describe(answer)} without the code`,
    wanted: "Answer 2xx with `data.code` in the body.",
  });
  return results;
}

const describe = (answer: Attempt): string =>
  "failure" in answer
    ? failureSentences[shownFailure(answer.failure)]
    : `${answer.status} in ${answer.phases.total} ms`;
