/** Who sees what a faction's fights tell, in the words of the page. */
export const describeSharing = {
  everybody: {
    tone: "good",
    label: "Shared with everyone",
    text: "Everyone who uses Adjutant sees the scores from your faction's fights, and your faction sees theirs.",
  },
  faction: {
    tone: "accent",
    label: "Private to your faction",
    text: "Only members of your faction see the scores from its fights.",
  },
  off: {
    tone: "neutral",
    label: "Not stored",
    text: "No scores are stored from your faction's fights. You still see scores that others share.",
  },
} as const;
