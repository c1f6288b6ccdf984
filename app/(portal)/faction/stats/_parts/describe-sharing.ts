/** Who sees what a faction's fights tell, in the words of the page. */
export const describeSharing = {
  everybody: {
    tone: "good",
    label: "Shared with everybody",
    text: "Everybody who uses Adjutant sees the scores that your faction's fights tell, as your faction sees theirs.",
  },
  faction: {
    tone: "accent",
    label: "For your faction alone",
    text: "Members of your faction see the scores that its fights tell, and nobody else.",
  },
  off: {
    tone: "neutral",
    label: "Not kept",
    text: "Nothing is kept of your faction's fights. Scores that others share are still seen.",
  },
} as const;
