/** Why the applications of a banned developer are suspended. It tells them from those that have a reason of their own. */
export const bannedDeveloper = "Its developer is banned.";
