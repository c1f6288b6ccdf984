import { z } from "zod";
import { Snowflake } from "./snowflake";

// What the chat's API answers, as far as we read it. Its ids are texts.

export const MessageAnswer = z.object({ id: Snowflake });

export const ApplicationAnswer = z.object({ id: Snowflake });

export const DirectChannelAnswer = z.object({ id: Snowflake });

export const ServersAnswer = z.array(z.object({ id: Snowflake, name: z.string() }));

export const ServerAnswer = z.object({ id: Snowflake, name: z.string(), owner_id: Snowflake });

export const RolesAnswer = z.array(
  z.object({
    id: Snowflake,
    name: z.string(),
    /** A set of rights, one a bit. */
    permissions: z.string().regex(/^[0-9]{1,40}$/),
    position: z.number().default(0),
  }),
);

export const MembersAnswer = z.array(
  z.object({ user: z.object({ id: Snowflake, bot: z.boolean().default(false) }), roles: z.array(Snowflake) }),
);

export const ChannelsAnswer = z.array(
  z.object({ id: Snowflake, name: z.string().nullish(), type: z.number(), position: z.number().default(0) }),
);
