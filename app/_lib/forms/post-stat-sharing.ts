import { answerForm } from "./answer-form";

const page = "/faction/stats";
const choices = ["everybody", "faction", "off"] as const;

/** Who sees scores that the faction's fights tell: `sharing`. */
export const postStatSharing = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: { next: page },
    act: async ({ field, caller }) => {
      const sharing = choices.find((choice) => choice === field("sharing"));
      if (!sharing) return page;
      await caller.factionStats.share({ sharing });
      return `${page}?shared=${sharing}`;
    },
  });
