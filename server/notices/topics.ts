import { z } from "zod";
import { defineEventType } from "#server/event-log/event-type";

interface TopicWords {
  readonly title: string;
  readonly words: string;
  readonly notices: readonly string[];
}

/** Notices of a topic are also sent by chat and webhook, as the player chooses. */
export const topics = {
  sign_in: {
    title: "New sign-in",
    words: "A sign-in from a new browser or network, and changes to how you sign in",
    notices: [
      "new-sign-in",
      "chat-linked",
      "chat-unlinked",
      "passkey-added",
      "passkey-trusted",
      "passkey-removed",
      "passkey-copied",
      "second-factor-enabled",
      "second-factor-disabled",
      "second-factor-reset",
      "second-factor-guessed",
      "backup-code-used",
    ],
  },
  application: {
    title: "New application",
    words: "An application got access to your account, or you registered one",
    notices: ["application-allowed", "application-registered"],
  },
  token_theft: {
    title: "Stolen token",
    words: "Access was ended because a code or token was used twice",
    notices: ["code-reused", "refresh-reused"],
  },
  endpoint_failing: {
    title: "Failing endpoint",
    words: "A webhook endpoint fails or was switched off, or many calls of your application fail",
    notices: [
      "webhook-failing-1h",
      "webhook-failing-24h",
      "webhook-failing-60h",
      "webhook-disabled",
      "webhook-switched-off",
      "errors-jumped",
    ],
  },
  secret_expiring: {
    title: "Expiring secret",
    words: "A client secret of your application expires in 14 days, or in 2",
    notices: ["secret-expiring"],
  },
  verification: {
    title: "Verification",
    words: "Your application was verified or not, or the proof of its domain fails",
    notices: [
      "application-verified",
      "application-unverified",
      "verification-declined",
      "domain-missed",
      "domain-unproven",
    ],
  },
  settings: {
    title: "Changed notifications",
    words: "Notifications were switched off, or the webhook for them was changed",
    notices: ["notifications-changed"],
  },
} as const satisfies Record<string, TopicWords>;

export type Topic = keyof typeof topics;

const allTopics = Object.keys(topics) as Topic[];

/** `settings` is always sent, so that a thief cannot switch these notices off. */
export const ChoosableTopic = z.enum(allTopics).exclude(["settings"]);
export type ChoosableTopic = z.output<typeof ChoosableTopic>;

const topicsByKind: ReadonlyMap<string, Topic> = new Map(
  allTopics.flatMap((topic) => topics[topic].notices.map((kind) => [kind, topic] as const)),
);

/** Undefined for a notice that only the portal shows. */
export const topicOf = (kind: string): Topic | undefined => topicsByKind.get(kind);

export const noticeEventType = (topic: Topic): string => `notice.${topic}`;

export const noticeEventTypes: readonly string[] = allTopics.map(noticeEventType);

export const topicOfEventType = (type: string): Topic | undefined =>
  allTopics.find((topic) => noticeEventType(topic) === type);

/** Not part of `eventTypes`, because only the webhook of an account receives notices. */
export const noticeEventDefinition = (topic: Topic) =>
  defineEventType({
    type: noticeEventType(topic),
    title: topics[topic].title,
    description: topics[topic].words,
    told: "notices",
    tag: "Notices",
    scope: null,
    subject: "notice",
    changed: [],
    data: z.object({}),
    example: { subject: "0198c2f4-6a0e-7cc3-9a51-3f1c7e5a2b10", data: {} },
  });
